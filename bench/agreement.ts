/** Before anything is measured: every contender must give the same answers to the same requests. */
import { isDeepStrictEqual } from 'node:util'
import type { Ask } from './ask.ts'
import type { Served } from './contender.ts'

/** Throws where two contenders differ, with both answers. */
export async function checkAgreement(contenders: readonly Served[], asks: readonly Ask[]): Promise<void> {
  for (const ask of asks) {
    let first: { name: string; said: unknown } | undefined
    for (const contender of contenders) {
      const { name } = contender
      const said = await answerTo(contender, ask)
      first ??= { name, said }
      if (isDeepStrictEqual(first.said, said)) continue
      const answers = [first, { name, said }].map((one) => `  ${one.name}: ${JSON.stringify(one.said)}`)
      throw new Error(`${JSON.stringify(ask)} is answered in two ways:\n${answers.join('\n')}`)
    }
  }
}

async function answerTo({ name, url, dialect }: Served, ask: Ask): Promise<unknown> {
  const { method, path, body } = dialect.request(ask)
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${name} answers ${method} ${path} with ${response.status}: ${text}`)
  const said = dialect.read(ask, { headers: response.headers, body: JSON.parse(text) })
  return ask.of === 'change' ? withoutTime(said, `${name} answers ${method} ${path} with an old record: ${text}`) : said
}

/** Each contender notes the time of its own change, to the second at least; one that notes none says none. */
function withoutTime(said: unknown, fault: string): unknown {
  const { lastUpdated, ...rest } = said as { lastUpdated?: string }
  const age = lastUpdated === undefined ? 0 : Date.now() - Date.parse(lastUpdated)
  if (!(age >= -1000 && age < 60_000)) throw new Error(fault)
  return rest
}
