import { cleanup, render, screen } from "@testing-library/react";
import jsQR from "jsqr";
import { afterEach, expect, it } from "vitest";
import { QrCode } from "./qr-code";

afterEach(cleanup);

/** Pixels a module has where it is read. */
const SCALE = 4;

/** What a reader makes of the drawn code. */
function scanned(svg: Element) {
  const size = Number(svg.getAttribute("viewBox")?.split(" ")[2]);
  const side = size * SCALE;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const drawn = svg.querySelector("path")?.getAttribute("d") ?? "";
  for (const [, x, y] of drawn.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let at = 0; at < SCALE * SCALE; at += 1) {
      const column = Number(x) * SCALE + (at % SCALE);
      const row = Number(y) * SCALE + Math.floor(at / SCALE);
      pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  }
  return jsQR(pixels, side, side)?.data;
}

it.each([
  "otpauth://totp/Modelwright:ann%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Modelwright",
  `otpauth://totp/Modelwright:${"very.long.name.".repeat(16)}%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Modelwright`,
])("is read by a scanner as the text it was made of", (uri) => {
  render(<QrCode text={uri} label="QR code of the secret" />);
  expect(scanned(screen.getByRole("img", { name: "QR code of the secret" }))).toBe(uri);
});
