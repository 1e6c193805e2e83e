/** Bars: lying for names, standing for ranges. */
import { colour, type Drawing, textOf } from "./chart";
import { Grid, Mark } from "./frame";
import { fitting, lengthOf, scaleOf, spelt } from "./scales";

const THICK = 18;
const GAP = 12;

export function Rows({ labels, series, width }: Drawing) {
  const left = Math.min(180, width * 0.32);
  const values = series.flatMap(({ data }) => data.filter((value) => value !== null));
  const scale = scaleOf(values, left, width - 64, true);
  const each = series.length * THICK + GAP;
  const height = labels.length * each + GAP;
  return (
    <svg width={width} height={height + 28} aria-hidden>
      <Grid scale={scale} along="x" from={0} to={height} />
      {labels.map((label, row) => (
        <g key={textOf(label)} transform={`translate(0, ${row * each + GAP})`}>
          <text
            x={left - 10}
            y={(series.length * THICK) / 2}
            textAnchor="end"
            dominantBaseline="central"
            className="chart-text"
          >
            {fitting(textOf(label), left - 12)}
          </text>
          {series.map(({ label: name, data }, index) => {
            const value = data[row] ?? 0;
            const [start, end] = [scale.place(0), scale.place(value)].sort((a, b) => a - b);
            return (
              <Mark key={name} title={`${textOf(label)}, ${name}: ${spelt(value)}`}>
                <rect
                  x={start}
                  y={index * THICK + 1}
                  width={Math.max(1, (end ?? 0) - (start ?? 0))}
                  height={THICK - 2}
                  rx={4}
                  fill={colour(index)}
                />
                <text
                  x={(end ?? 0) + 6}
                  y={index * THICK + THICK / 2}
                  dominantBaseline="central"
                  className="chart-text"
                >
                  {spelt(value)}
                </text>
              </Mark>
            );
          })}
        </g>
      ))}
    </svg>
  );
}

const HEIGHT = 280;

export function Columns({ labels, series, width }: Drawing) {
  const left = 56;
  const data = series[0]?.data ?? [];
  const scale = scaleOf(
    data.filter((value) => value !== null),
    HEIGHT,
    12,
    true,
  );
  const each = (width - left) / Math.max(1, labels.length);
  const lengths = labels.map((label) => lengthOf(textOf(label)));
  const every = Math.ceil((Math.max(...lengths) + GAP) / each);
  return (
    <svg width={width} height={HEIGHT + 28} aria-hidden>
      <Grid scale={scale} along="y" from={left} to={width} />
      {labels.map((label, index) => {
        const value = data[index] ?? 0;
        const top = scale.place(value);
        return (
          <Mark key={textOf(label)} title={`${textOf(label)}: ${spelt(value)}`}>
            <rect
              x={left + index * each + 1}
              y={top}
              width={Math.max(1, each - 2)}
              height={Math.max(0, scale.place(0) - top)}
              rx={Math.min(4, each / 4)}
              fill={colour(0)}
            />
            {index % every === 0 ? (
              <text
                x={Math.min(left + (index + 0.5) * each, width - (lengths[index] ?? 0) / 2)}
                y={HEIGHT + 18}
                textAnchor="middle"
                className="chart-text"
              >
                {textOf(label)}
              </text>
            ) : null}
          </Mark>
        );
      })}
    </svg>
  );
}
