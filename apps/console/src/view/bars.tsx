/** Numbers by day as bars, with the maximum and the first and last day as a scale. */
import './bars.css'
import { format, text } from '../language/language.ts'

/** Bars of a few days are not wider, in pixels. The scale is as wide as the bars. */
const maxBarWidth = 64

interface BarsProps {
  readonly title: string
  readonly days: readonly string[]
  readonly counts: readonly number[]
  readonly height: number
}

export function Bars({ title, days, counts, height }: BarsProps) {
  const maxCount = Math.max(0, ...counts)
  const { number, day } = format()
  return (
    <figure
      className="bars"
      style={{ maxWidth: days.length * maxBarWidth }}
      aria-label={text().usage.peak(title, maxCount)}
    >
      <div className="bars-scale" aria-hidden="true">
        <span>{number(maxCount)}</span>
      </div>
      <div className="bars-plot" style={{ height }} aria-hidden="true">
        {days.map((date, index) => {
          const count = counts[index] ?? 0
          return (
            <span key={date} className="bar" title={text().usage.onDay(date, count)}>
              <span style={{ height: `${maxCount === 0 ? 0 : (100 * count) / maxCount}%` }} />
            </span>
          )
        })}
      </div>
      <div className="bars-scale" aria-hidden="true">
        <span>{day(days[0] ?? '')}</span>
        {days.length > 1 && <span>{day(days.at(-1) ?? '')}</span>}
      </div>
    </figure>
  )
}

/** Bars without a scale, for a row or a card. Nothing if all are 0. */
export function Sparkline({ counts }: { readonly counts: readonly number[] }) {
  const most = Math.max(0, ...counts)
  if (most === 0) return null
  // A single day is not a trend, so its bar is as narrow as others.
  const step = 96 / Math.max(14, counts.length)
  return (
    <svg
      viewBox="0 0 96 18"
      preserveAspectRatio="none"
      width="96"
      height="18"
      className="spark"
      role="img"
      aria-label={text().usage.peak(text().usage.requestsByDay, most)}
    >
      {counts.map((count, index) => {
        const height = count === 0 ? 0 : Math.max(1, (count / most) * 18)
        // biome-ignore lint/suspicious/noArrayIndexKey: a day has no other key
        return <rect key={index} x={index * step} y={18 - height} width={Math.max(0.5, step - 0.5)} height={height} />
      })}
    </svg>
  )
}
