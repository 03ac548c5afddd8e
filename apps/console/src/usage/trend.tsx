/** Requests by day as a chart. The chart library is large, so it is loaded when it is first shown. */
import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import { format, text } from '../language/language.ts'

interface TrendProps {
  readonly title: string
  readonly days: readonly string[]
  readonly counts: readonly number[]
  readonly height: number
}

export default function Trend({ title, days, counts, height }: TrendProps) {
  const data = days.map((day, index) => ({ day: format().day(day), requests: counts[index] ?? 0 }))
  const most = Math.max(0, ...counts)
  return (
    <figure className="trend" aria-label={text().usage.peak(title, most)}>
      <AreaChart
        h={height}
        data={data}
        dataKey="day"
        series={[{ name: 'requests', label: text().usage.requests, color: 'indigo.6' }]}
        valueFormatter={format().number}
        curveType="monotone"
        withDots={false}
        gridAxis="x"
        yAxisProps={{ tickCount: 4, interval: 0 }}
        tickLine="none"
        areaChartProps={{ accessibilityLayer: false }}
      />
    </figure>
  )
}
