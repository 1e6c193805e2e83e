/** Points: joined to lines along their labels, or scattered over two numbers. */
import { type Drawing, labelText, seriesColor } from "./drawing";
import { Grid, Mark } from "./frame";
import { formatTick, linearScale, truncateToWidth } from "./scales";

const HEIGHT = 300;
const LEFT = 56;
const RIGHT = 44;

const known = (data: (number | null)[]) => data.filter((value) => value !== null);

export function Lines({ labels, series, width }: Drawing) {
  const scale = linearScale(
    series.flatMap(({ data }) => known(data)),
    HEIGHT,
    12,
    false,
  );
  const each = (width - LEFT - 8 - RIGHT) / Math.max(1, labels.length - 1);
  const x = (index: number) => LEFT + 8 + index * each;
  const every = Math.ceil(84 / Math.max(each, 1));
  return (
    <svg width={width} height={HEIGHT + 28} aria-hidden>
      <Grid scale={scale} along="y" from={LEFT} to={width} />
      {labels.map((label, index) =>
        index % every === 0 ? (
          <text
            key={labelText(label)}
            x={x(index)}
            y={HEIGHT + 18}
            textAnchor="middle"
            className="chart-text"
          >
            {truncateToWidth(labelText(label), 84)}
          </text>
        ) : null,
      )}
      {series.map(({ label: name, data }, index) => (
        <g key={name}>
          <path
            d={pathOf(data, x, scale.place)}
            fill="none"
            stroke={seriesColor(index)}
            strokeWidth={2}
          />
          {data.map((value, place) =>
            value === null ? null : (
              <Mark
                key={labelText(labels[place] ?? null)}
                title={`${labelText(labels[place] ?? null)}, ${name}: ${formatTick(value)}`}
              >
                <circle
                  cx={x(place)}
                  cy={scale.place(value)}
                  r={data.length > 60 ? 2 : 3.5}
                  fill={seriesColor(index)}
                />
              </Mark>
            ),
          )}
        </g>
      ))}
    </svg>
  );
}

function pathOf(
  data: (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let isBroken = true;
  return data
    .map((value, index) => {
      if (value === null) {
        isBroken = true;
        return "";
      }
      const verb = isBroken ? "M" : "L";
      isBroken = false;
      return `${verb}${x(index)},${y(value)}`;
    })
    .join("");
}

export function Points({ labels, series, width }: Drawing) {
  const numbers = labels.map((label) => (typeof label === "number" ? label : Number.NaN));
  const across = linearScale(numbers.filter(Number.isFinite), LEFT, width - 20, false);
  const up = linearScale(
    series.flatMap(({ data }) => known(data)),
    HEIGHT,
    12,
    false,
  );
  return (
    <svg width={width} height={HEIGHT + 28} aria-hidden>
      <Grid scale={across} along="x" from={12} to={HEIGHT} />
      <Grid scale={up} along="y" from={LEFT} to={width - 20} />
      {series.map(({ label: name, data }, index) =>
        data.map((value, place) => {
          const number = numbers[place] ?? Number.NaN;
          if (value === null || !Number.isFinite(number)) return null;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: points have no other name
            <Mark key={`${name}-${place}`} title={`${formatTick(number)}, ${formatTick(value)}`}>
              <circle
                cx={across.place(number)}
                cy={up.place(value)}
                r={3.5}
                fill={seriesColor(index)}
                fillOpacity={0.55}
              />
            </Mark>
          );
        }),
      )}
    </svg>
  );
}
