/** Checks for invalid requests: they must get a 4xx status. */
import { isObject, pathKey } from '@nomen/core/openapi'
import type { Check } from '../check.ts'
import { expect, expectStatus, Fault, NotSpecified, statusOf } from '../finding.ts'
import type { CheckResponse, Query } from '../request/exchange.ts'
import type { Collection } from '../surface.ts'
import type { Survey } from '../survey.ts'
import { isDefault } from './filter.ts'

/** The expected status passes, another 4xx is not specified, and any other status fails. */
export function expectRejection(
  response: CheckResponse,
  expectedStatus: number,
  requestText: string,
  isAcceptanceFault: boolean,
): void {
  if (response.status === expectedStatus) return
  const evidence = { expected: `status ${expectedStatus} for ${requestText}`, actual: statusOf(response), response }
  const isRejected = response.status >= 400 && response.status < 500
  if (isRejected || (response.status < 400 && !isAcceptanceFault)) throw new NotSpecified(evidence)
  throw new Fault(evidence)
}

async function checkUnknownParameter(survey: Survey): Promise<void> {
  const response = await survey.listResponse([[`nomenCheck${survey.random.word(6)}`, '1']])
  expectRejection(response, 400, 'an unknown parameter', false)
}

async function checkBadPage(survey: Survey): Promise<void> {
  const requests: Query = [
    ...['0', '-1', 'abc', '1.5'].map((value) => ['pageNumber', value] as const),
    ...['0', '-1', 'abc', '2.5'].map((value) => ['pageSize', value] as const),
  ]
  let notSpecified: unknown
  for (const request of requests) {
    const response = await survey.listResponse([request])
    const info = isObject(response.json) && isObject(response.json.pageInfo) ? response.json.pageInfo : {}
    for (const name of ['pageNumber', 'pageSize'])
      expect(response.status !== 200 || (Number.isInteger(info[name]) && Number(info[name]) >= 1), () => ({
        expected: `an error for ${request.join('=')}, or a ${name} of at least 1`,
        actual: `status 200 with ${name} ${JSON.stringify(info[name])}`,
        response,
      }))
    try {
      expectRejection(response, 400, request.join('='), false)
    } catch (error) {
      if (error instanceof Fault) throw error
      notSpecified ??= error
    }
  }
  if (notSpecified) throw notSpecified
}

async function checkBadIdentity(survey: Survey): Promise<void> {
  expectRejection(await survey.readOne('nomen-check'), 404, 'an ID that is not an integer', true)
}

/** A method that no service has; with writes also PATCH with an empty body, unless the document has it. */
async function checkUnknownMethod(survey: Survey): Promise<void> {
  const path = await survey.listPath()
  const { isWriting, surface } = survey.context
  const key = pathKey(survey.collection.path)
  const hasPatch = surface.table.operations.some((operation) => operation.method === 'patch' && operation.key === key)
  const requests =
    isWriting && !hasPatch
      ? [
          { method: 'PROPFIND', path },
          { method: 'PATCH', path, body: {} },
        ]
      : [{ method: 'PROPFIND', path }]
  for (const request of requests) {
    const response = await survey.sender.send(request)
    // 501 is the status for a method that the server does not know.
    if (response.status === 501) continue
    expectRejection(response, 405, 'a method that the path does not support', true)
    expect(response.headers.has('allow'), () => ({ expected: 'a header Allow', actual: 'it is missing', response }))
  }
}

async function checkUnknownPath(survey: Survey): Promise<void> {
  const path = `${survey.collection.path}-nomen-check-${survey.random.word(6)}`
  expectStatus(await survey.sender.get(path), 404)
}

const isRoot = (collection: Collection) => isDefault(collection) && !collection.isNested

export const invalidRequestChecks: readonly Check[] = [
  { code: 'unknown-parameter', appliesTo: isDefault, run: checkUnknownParameter },
  { code: 'bad-page', appliesTo: (collection) => isDefault(collection) && collection.isPaginated, run: checkBadPage },
  {
    code: 'bad-identity',
    appliesTo: ({ read, detail, identityNames }) => {
      const name = identityNames.find((candidate) => detail?.properties.has(candidate))
      return read !== undefined && name !== undefined && detail?.properties.get(name)?.shape.type === 'integer'
    },
    run: checkBadIdentity,
  },
  { code: 'unknown-method', appliesTo: isRoot, run: checkUnknownMethod },
  { code: 'unknown-path', appliesTo: isRoot, run: checkUnknownPath },
]
