/** Bars: lying for names, standing for ranges. */
import { type Drawing, labelText, seriesColor } from "./drawing";
import { Grid, Mark } from "./frame";
import { formatTick, linearScale, textWidth, truncateToWidth } from "./scales";

const THICK = 18;
const GAP = 12;

export function Rows({ labels, series, width }: Drawing) {
  const left = Math.min(180, width * 0.32);
  const values = series.flatMap(({ data }) => data.filter((value) => value !== null));
  const scale = linearScale(values, left, width - 64, true);
  const each = series.length * THICK + GAP;
  const height = labels.length * each + GAP;
  return (
    <svg width={width} height={height + 28} aria-hidden>
      <Grid scale={scale} along="x" from={0} to={height} />
      {labels.map((label, row) => (
        <g key={labelText(label)} transform={`translate(0, ${row * each + GAP})`}>
          <text
            x={left - 10}
            y={(series.length * THICK) / 2}
            textAnchor="end"
            dominantBaseline="central"
            className="chart-text"
          >
            {truncateToWidth(labelText(label), left - 12)}
          </text>
          {series.map(({ label: name, data }, index) => {
            const value = data[row] ?? 0;
            const [start, end] = [scale.place(0), scale.place(value)].sort((a, b) => a - b);
            return (
              <Mark key={name} title={`${labelText(label)}, ${name}: ${formatTick(value)}`}>
                <rect
                  x={start}
                  y={index * THICK + 1}
                  width={Math.max(1, (end ?? 0) - (start ?? 0))}
                  height={THICK - 2}
                  rx={4}
                  fill={seriesColor(index)}
                />
                <text
                  x={(end ?? 0) + 6}
                  y={index * THICK + THICK / 2}
                  dominantBaseline="central"
                  className="chart-text"
                >
                  {formatTick(value)}
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
  const scale = linearScale(
    data.filter((value) => value !== null),
    HEIGHT,
    12,
    true,
  );
  const each = (width - left) / Math.max(1, labels.length);
  const lengths = labels.map((label) => textWidth(labelText(label)));
  const every = Math.ceil((Math.max(...lengths) + GAP) / each);
  return (
    <svg width={width} height={HEIGHT + 28} aria-hidden>
      <Grid scale={scale} along="y" from={left} to={width} />
      {labels.map((label, index) => {
        const value = data[index] ?? 0;
        const top = scale.place(value);
        return (
          <Mark key={labelText(label)} title={`${labelText(label)}: ${formatTick(value)}`}>
            <rect
              x={left + index * each + 1}
              y={top}
              width={Math.max(1, each - 2)}
              height={Math.max(0, scale.place(0) - top)}
              rx={Math.min(4, each / 4)}
              fill={seriesColor(0)}
            />
            {index % every === 0 ? (
              <text
                x={Math.min(left + (index + 0.5) * each, width - (lengths[index] ?? 0) / 2)}
                y={HEIGHT + 18}
                textAnchor="middle"
                className="chart-text"
              >
                {labelText(label)}
              </text>
            ) : null}
          </Mark>
        );
      })}
    </svg>
  );
}
