/** Requests by day as a chart. It is fetched when it is first shown: it weighs as much as the rest of the page. */
import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'

interface TrendProps {
  readonly title: string
  readonly days: readonly string[]
  readonly counts: readonly number[]
  readonly height: number
}

export default function Trend({ title, days, counts, height }: TrendProps) {
  const data = days.map((day, index) => ({ day, requests: counts[index] ?? 0 }))
  const most = Math.max(0, ...counts)
  return (
    <figure className="trend" aria-label={`${title}, at most ${most}`}>
      <AreaChart
        h={height}
        data={data}
        dataKey="day"
        series={[{ name: 'requests', label: 'Requests', color: 'indigo.6' }]}
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
