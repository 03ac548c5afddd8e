/** Before anything is measured: every contender must give the same answers to the same requests. */
import { isDeepStrictEqual } from 'node:util'
import type { Served } from './contender.ts'
import type { BenchRequest } from './request-kind.ts'

/** Throws where two contenders differ, with both answers. */
export async function checkAgreement(contenders: readonly Served[], requests: readonly BenchRequest[]): Promise<void> {
  for (const request of requests) {
    let first: { name: string; body: unknown } | undefined
    for (const { name, url } of contenders) {
      const body = await ask(url, request, name)
      first ??= { name, body }
      if (isDeepStrictEqual(first.body, body)) continue
      const answers = [first, { name, body }].map((one) => `  ${one.name}: ${JSON.stringify(one.body)}`)
      throw new Error(`${request.method} ${request.path} is answered in two ways:\n${answers.join('\n')}`)
    }
  }
}

async function ask(url: string, { method, path, body }: BenchRequest, name: string): Promise<unknown> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${name} answers ${method} ${path} with ${response.status}: ${text}`)
  const answer = JSON.parse(text)
  if (method === 'GET') return answer
  // Each contender notes the time of its own change.
  const age = Date.now() - Date.parse(answer.lastUpdated)
  if (!(age >= 0 && age < 60_000)) throw new Error(`${name} answers ${method} ${path} with an old record: ${text}`)
  return { ...answer, lastUpdated: 'now' }
}
