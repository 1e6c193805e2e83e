/** A QR code to be scanned, black on white whatever the colours of the page are. */
import { encode } from "uqr";

/** Modules of white around it, without which readers do not find it. */
const QUIET_MODULES = 4;
const PIXELS = 200;

interface QrCodeProps {
  text: string;
  label: string;
}

export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_MODULES });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      width={PIXELS}
      height={PIXELS}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}
