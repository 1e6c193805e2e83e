/** Hands a file to the reader, as a download. */
export function saveFile(content: Blob, filename: string): void {
  const address = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href: address, download: filename }).click();
  URL.revokeObjectURL(address);
}
