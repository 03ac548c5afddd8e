/** Checks of requests that no service should take: refused in a way that blames the request. */
import { isObject } from '@nomen/core/openapi'
import type { Check } from '../check.ts'
import { expect, expectStatus, Fault, OpenPoint, statusOf } from '../finding.ts'
import type { Answer, Query } from '../request/exchange.ts'
import type { Collection } from '../surface.ts'
import type { Survey } from '../survey.ts'
import { isDefault } from './filter.ts'

/** Passes for the usual status; any other that blames the request is open; one that blames the service is a fault. */
export function judgeRefusal(answer: Answer, usual: number, what: string, isTakenFault: boolean): void {
  if (answer.status === usual) return
  const evidence = { expected: `status ${usual} for ${what}`, actual: statusOf(answer), answer }
  const isRefused = answer.status >= 400 && answer.status < 500
  if (isRefused || (answer.status < 400 && !isTakenFault)) throw new OpenPoint(evidence)
  throw new Fault(evidence)
}

async function unknownParameter(survey: Survey): Promise<void> {
  const answer = await survey.ask([[`nomenCheck${survey.random.word(6)}`, '1']])
  judgeRefusal(answer, 400, 'a parameter that the list does not have', false)
}

async function badPage(survey: Survey): Promise<void> {
  const asks: Query = [
    ...['0', '-1', 'abc', '1.5'].map((value) => ['pageNumber', value] as const),
    ...['0', '-1', 'abc', '2.5'].map((value) => ['pageSize', value] as const),
  ]
  let open: unknown
  for (const ask of asks) {
    const answer = await survey.ask([ask])
    const info = isObject(answer.json) && isObject(answer.json.pageInfo) ? answer.json.pageInfo : {}
    for (const name of ['pageNumber', 'pageSize'])
      expect(answer.status !== 200 || (Number.isInteger(info[name]) && Number(info[name]) >= 1), () => ({
        expected: `a refusal of ${ask.join('=')}, or a ${name} from 1`,
        actual: `status 200 with ${name} ${JSON.stringify(info[name])}`,
        answer,
      }))
    try {
      judgeRefusal(answer, 400, ask.join('='), false)
    } catch (error) {
      if (error instanceof Fault) throw error
      open ??= error
    }
  }
  if (open) throw open
}

async function badIdentity(survey: Survey): Promise<void> {
  judgeRefusal(await survey.readOne('nomen-check'), 404, 'an identity that is no integer', true)
}

/** One that no service offers; where writing is wanted also one that others offer, with nothing in it. */
async function unknownMethod(survey: Survey): Promise<void> {
  const path = await survey.place()
  const asks = survey.world.isWriting
    ? [
        { method: 'PROPFIND', path },
        { method: 'PATCH', path, body: {} },
      ]
    : [{ method: 'PROPFIND', path }]
  for (const ask of asks) {
    const answer = await survey.sender.send(ask)
    // HTTP has this status for methods that a service knows nothing of
    if (answer.status === 501) continue
    judgeRefusal(answer, 405, 'a method that the path does not take', true)
    expect(answer.headers.has('allow'), () => ({ expected: 'a header Allow', actual: 'there is none', answer }))
  }
}

async function unknownPath(survey: Survey): Promise<void> {
  const path = `${survey.collection.path}-nomen-check-${survey.random.word(6)}`
  expectStatus(await survey.sender.get(path), 404)
}

const isRoot = (collection: Collection) => isDefault(collection) && !collection.isNested

export const refusalChecks: readonly Check[] = [
  { code: 'unknown-parameter', isMeant: isDefault, run: unknownParameter },
  { code: 'bad-page', isMeant: (one) => isDefault(one) && one.isPaginated, run: badPage },
  {
    code: 'bad-identity',
    isMeant: ({ read, detail, identityNames }) => {
      const name = identityNames.find((one) => detail?.properties.has(one))
      return read !== undefined && name !== undefined && detail?.properties.get(name)?.shape.type === 'integer'
    },
    run: badIdentity,
  },
  { code: 'unknown-method', isMeant: isRoot, run: unknownMethod },
  { code: 'unknown-path', isMeant: isRoot, run: unknownPath },
]
