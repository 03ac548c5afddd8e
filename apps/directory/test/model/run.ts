/** Runs commands against a service and the model, and stops at the first difference. */

import { collections, targetOf, templateOf } from './collection.ts'
import type { Command } from './command.ts'
import { differences } from './difference.ts'
import { expectedResponse } from './expected-response.ts'
import { statusOf } from './refusal.ts'
import { describeRequest, type Reply, type Request, type Service, send } from './request.ts'
import { followingRequests, precedingRequests, resolve } from './resolve.ts'
import { Tags } from './tags.ts'
import type { Model } from './turn.ts'
import { identityOf, type World } from './world.ts'

/** The coverage of all runs: the number of each status and problem by method and path. */
export type Tally = Map<string, number>

/** The requests up to the first one with a difference between service and model. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement'
  /** The index of the command; infinite if a final request after all commands shows the difference. */
  commandIndex = Number.POSITIVE_INFINITY
}

export async function run(service: Service, world: World, commands: readonly Command[], tally: Tally): Promise<void> {
  const model: Model = { world, tags: new Tags(), changedByDelete: new Map(), replays: new Map() }
  const posts: Request[] = []
  const lines: string[] = []
  const step = async (request: Request) => {
    const reply = await send(service, request)
    compareResponse(model, request, reply, lines, tally)
    const [changedUserId] = model.changedByDelete.keys()
    if (changedUserId !== undefined) await step(getRequest('user', String(changedUserId)))
  }
  const runCommand = async (command: Command) => {
    const draft = resolve(command, model, posts)
    if (!draft) return
    const firstRequests = precedingRequests(command, draft, model)
    for (const request of firstRequests) await step(request)
    const request = firstRequests.length > 0 ? (resolve(command, model, posts) as Request) : draft
    if (request.headers['idempotency-key']) posts.push(request)
    await step(request)
    for (const followingRequest of followingRequests(command, request, model)) await step(followingRequest)
  }
  for (const [index, command] of commands.entries()) {
    await runCommand(command).catch((error) => {
      if (error instanceof Disagreement) error.commandIndex = index
      throw error
    })
  }
  for (const request of finalRequests(world)) await step(request)
}

function compareResponse(model: Model, request: Request, reply: Reply, lines: string[], tally: Tally): void {
  const expected = expectedResponse(model, request, reply)
  const faults = differences(model, request, reply, expected)
  countResponse(tally, request, reply)
  lines.push(`${describeRequest(request)} → ${reply.status}`)
  if (faults.length === 0) return
  const expectedText =
    'codes' in expected
      ? expected.codes.map((code) => `${statusOf(code)} ${code}`).join(' or ')
      : `${expected.status} ${JSON.stringify(expected.body) ?? ''}`
  const steps = lines.map((line, index) => `${String(index + 1).padStart(4)}  ${line}`)
  throw new Disagreement(
    [
      ...steps,
      `expected ${expectedText}`,
      `actual   ${reply.status} ${reply.text}`,
      ...faults.slice(0, 8).map((fault) => `differs  ${fault}`),
    ].join('\n'),
  )
}

function countResponse(tally: Tally, request: Request, { status, json }: Reply): void {
  const target = targetOf(request.path)
  const keys = [`${request.method} ${target ? templateOf(target) : 'elsewhere'} ${status}`]
  const { code } = (json ?? {}) as { code?: unknown }
  if (typeof code === 'string') keys.push(code)
  for (const key of keys) tally.set(key, (tally.get(key) ?? 0) + 1)
}

function getRequest(...path: string[]): Request {
  return { method: 'GET', path, query: [], headers: {} }
}

/** Requests that read all data at the end of a run, to find undetected damage. */
function finalRequests(world: World): Request[] {
  const listAll = (path: string[], ...parameters: [string, string][]): Request => ({
    ...getRequest(...path),
    query: [...parameters, ['pageSize', '1000']],
  })
  const ids = (noun: 'user' | 'role') => world.rows[noun].map((row) => String(identityOf(noun, row)))
  const roots = collections.filter(({ parent, view }) => !parent && !view.defaultFilter)
  return [
    ...roots.map(({ segments }) => listAll([...segments])),
    listAll(['user-detail']),
    listAll(['department'], ['retired', 'true'], ['retired', 'false']),
    ...ids('user').flatMap((id) => [
      getRequest('v1', 'user', id),
      getRequest('user', id, 'preference'),
      listAll(['v1', 'user', id, 'role']),
    ]),
    ...ids('role').map((id) => listAll(['v1', 'role', id, 'action'])),
  ]
}
