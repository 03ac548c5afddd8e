/** A usage report for tests and pictures: requests of some applications, the same every time. */
import { LineReader, type UsageReport, usageReport } from '@nomen/core/usage'
import type { Service } from '@nomen/server'

/** The report of the last days of a sample of two months. */
export function sampleUsage(service: Pick<Service, 'operations'>, days = 60): UsageReport {
  const callers = [
    { agent: 'shop/4.1', share: 9, paths: ['GET /user', 'GET /user/7', 'GET /user/by-email/a@b.c', 'PATCH /user/7'] },
    {
      agent: 'payroll/2.0',
      share: 5,
      paths: ['GET /user-detail', 'GET /user/7', 'GET /department', 'GET /v1/application/1/user'],
    },
    {
      agent: 'intranet/11',
      share: 4,
      paths: ['GET /user-summary', 'GET /user/7/preference', 'PUT /user/7/preference/1'],
    },
    {
      agent: 'gatekeeper/3',
      share: 7,
      paths: ['GET /v1/application/1/user/5/action', 'GET /v1/user/5', 'GET /v1/role'],
    },
    { agent: 'nightly-sync/1', share: 2, paths: ['GET /department', 'POST /user', 'PUT /user/9', 'DELETE /user/9'] },
  ]
  const endpoints = service.operations.map(({ api, id, method, path }) => ({
    id: `${api}.${id}`,
    method,
    path,
  }))
  const reader = new LineReader(endpoints)
  for (let day = 60 - days; day < 60; day++) {
    const time = new Date(Date.UTC(2026, 8, 16 + day, 9))
    const [year, month, date] = time.toISOString().slice(0, 10).split('-')
    const isWorkday = ![0, 6].includes(time.getUTCDay())
    for (const { agent, share, paths } of callers)
      for (const [index, path] of paths.entries()) {
        // One caller stopped after 20 days.
        if (agent === 'intranet/11' && index === 2 && day > 20) continue
        const count = Math.round(
          ((share * 12) / (index + 1)) * (isWorkday ? 1 : 0.2) * (1 + 0.3 * Math.sin(day / 6 + index)),
        )
        const line = `10.0.0.1:1 - - [${date}/${month}/${year}:09:00:00 +0000] "${path} HTTP/1.1" 200 120 "-" "${agent}"\n`
        reader.read(new TextEncoder().encode(line.repeat(count)))
      }
  }
  reader.end()
  return usageReport(endpoints, reader, 30)
}
