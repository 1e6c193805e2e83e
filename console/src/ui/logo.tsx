/** The product's mark. */
export function Logo({ size = 28 }: { size?: number }) {
  return <img src={`${import.meta.env.BASE_URL}mark.svg`} width={size} height={size} alt="" />;
}
