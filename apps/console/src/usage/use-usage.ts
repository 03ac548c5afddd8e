/** The usage report of the service as a query. */
import { useQuery } from '@tanstack/react-query'
import type { UsageReport } from '../model/service/usage.ts'
import { useConsole } from '../state/console-context.ts'

/** From this day on (default: the whole period). A service without /usage responds with 404. */
export function useUsage(from?: string) {
  const { service, http } = useConsole()
  const base = service.apis[0]?.base ?? ''
  const query = new URLSearchParams(from === undefined ? {} : { from })
  return useQuery({
    queryKey: ['usage', base, from],
    queryFn: async ({ signal }) =>
      (await http.send({ base, method: 'GET', path: '/usage', query, signal })).body as UsageReport,
  })
}
