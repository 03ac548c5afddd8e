/** Checks before a benchmark that all contenders return the same data for the same requests. */
import { isDeepStrictEqual } from 'node:util'
import type { RunningContender } from './contender.ts'
import type { RequestSpec } from './request-spec.ts'

/** Throws if two contenders differ, with both responses. */
export async function checkAgreement(
  contenders: readonly RunningContender[],
  specs: readonly RequestSpec[],
): Promise<void> {
  for (const spec of specs) {
    let first: { name: string; data: unknown } | undefined
    for (const contender of contenders) {
      const { name } = contender
      const data = await responseTo(contender, spec)
      first ??= { name, data }
      if (isDeepStrictEqual(first.data, data)) continue
      const responses = [first, { name, data }].map(
        (response) => `  ${response.name}: ${JSON.stringify(response.data)}`,
      )
      throw new Error(`${JSON.stringify(spec)} has different responses:\n${responses.join('\n')}`)
    }
  }
}

async function responseTo({ name, url, dialect }: RunningContender, spec: RequestSpec): Promise<unknown> {
  const { method, path, body, headers: ownHeaders } = dialect.request(spec)
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...ownHeaders }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${name} responds to ${method} ${path} with ${response.status}: ${text}`)
  const data = dialect.read(spec, { headers: response.headers, body: JSON.parse(text) })
  return spec.target === 'change'
    ? withoutTime(data, `${name} responds to ${method} ${path} with an old record: ${text}`)
    : data
}

/** Each contender sets the time of its own change, at least to the second. Some have no such field. */
function withoutTime(data: unknown, response: string): unknown {
  const { lastUpdated, ...otherProperties } = data as { lastUpdated?: string }
  const age = lastUpdated === undefined ? 0 : Date.now() - Date.parse(lastUpdated)
  if (!(age >= -1000 && age < 60_000)) throw new Error(response)
  return otherProperties
}
