/** Runs commands against a service and the model at once, and stops where the two disagree. */
import { answer } from './answer.ts'
import { collections, placeOf, templateOf } from './collection.ts'
import type { Command } from './command.ts'
import { differences } from './difference.ts'
import { statusOf } from './refusal.ts'
import { lineOf, type Reply, type Request, type Service, send } from './request.ts'
import { preludeTo, resolve, sequelTo } from './resolve.ts'
import { Tags } from './tags.ts'
import type { Model } from './turn.ts'
import { identityOf, type World } from './world.ts'

/** What was seen in all runs: how often each method and path gave each status, or each problem. */
export type Tally = Map<string, number>

/** The requests up to the one on which service and model disagree. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement'
  /** The position of the command; past the last for the look at everything that ends a run. */
  at = Number.POSITIVE_INFINITY
}

export async function run(service: Service, world: World, commands: readonly Command[], tally: Tally): Promise<void> {
  const model: Model = { world, tags: new Tags(), touched: new Map(), kept: new Map() }
  const posts: Request[] = []
  const lines: string[] = []
  const step = async (request: Request) => {
    const reply = await send(service, request)
    judge(model, request, reply, lines, tally)
    const [touched] = model.touched.keys()
    if (touched !== undefined) await step(get('user', String(touched)))
  }
  const obey = async (command: Command) => {
    const draft = resolve(command, model, posts)
    if (!draft) return
    const prelude = preludeTo(command, draft, model)
    for (const request of prelude) await step(request)
    const request = prelude.length > 0 ? (resolve(command, model, posts) as Request) : draft
    if (request.headers['idempotency-key']) posts.push(request)
    await step(request)
    for (const sequel of sequelTo(command, request, model)) await step(sequel)
  }
  for (const [at, command] of commands.entries()) {
    await obey(command).catch((thrown) => {
      if (thrown instanceof Disagreement) thrown.at = at
      throw thrown
    })
  }
  for (const request of everything(world)) await step(request)
}

function judge(model: Model, request: Request, reply: Reply, lines: string[], tally: Tally): void {
  const expected = answer(model, request, reply)
  const found = differences(model, request, reply, expected)
  count(tally, request, reply)
  lines.push(`${lineOf(request)} → ${reply.status}`)
  if (found.length === 0) return
  const wanted =
    'codes' in expected
      ? expected.codes.map((code) => `${statusOf(code)} ${code}`).join(' or ')
      : `${expected.status} ${JSON.stringify(expected.body) ?? ''}`
  const steps = lines.map((line, index) => `${String(index + 1).padStart(4)}  ${line}`)
  throw new Disagreement(
    [
      ...steps,
      `expected ${wanted}`,
      `actual   ${reply.status} ${reply.text}`,
      ...found.slice(0, 8).map((one) => `differs  ${one}`),
    ].join('\n'),
  )
}

function count(tally: Tally, request: Request, { status, json }: Reply): void {
  const place = placeOf(request.path)
  const keys = [`${request.method} ${place ? templateOf(place) : 'elsewhere'} ${status}`]
  const { code } = (json ?? {}) as { code?: unknown }
  if (typeof code === 'string') keys.push(code)
  for (const key of keys) tally.set(key, (tally.get(key) ?? 0) + 1)
}

function get(...path: string[]): Request {
  return { method: 'GET', path, query: [], headers: {} }
}

/** Requests that show all there is, so that no damage goes unseen. */
function everything(world: World): Request[] {
  const all = (path: string[], ...more: [string, string][]): Request => ({
    ...get(...path),
    query: [...more, ['pageSize', '1000']],
  })
  const ids = (noun: 'user' | 'role') => world.rows[noun].map((row) => String(identityOf(noun, row)))
  const roots = collections.filter(({ parent, face }) => !parent && !face.defaultFilter)
  return [
    ...roots.map(({ segments }) => all([...segments])),
    all(['user-detail']),
    all(['department'], ['retired', 'true'], ['retired', 'false']),
    ...ids('user').flatMap((id) => [
      get('v1', 'user', id),
      get('user', id, 'preference'),
      all(['v1', 'user', id, 'role']),
    ]),
    ...ids('role').map((id) => all(['v1', 'role', id, 'action'])),
  ]
}
