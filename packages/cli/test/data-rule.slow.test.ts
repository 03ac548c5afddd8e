// A rule that counts other records is never violated with two processes on one database and many clients.
import { numberOfRuns, proofSeed, seedNumber, timeoutOption, withoutLoadShedding } from '@nomen/testing/prove'
import { randomFrom } from '@nomen/testing/random'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { serve } from './nomen.ts'
import { forTest } from './over.ts'
import { connections, sendRequest } from './send-request.ts'

const library = `
import { api, choice, identity, noun, reference, resource, text } from '@nomen/core'
import { rule, service } from '@nomen/server'

const member = noun('member', { id: identity(), name: text() })
const loan = noun('loan', {
  id: identity(),
  member: reference(() => member),
  status: choice('OPEN', 'RETURNED').default('OPEN'),
})
const library = api('library', { versioning: 'per-noun', writes: 'nested', resources: [resource(member), resource(loan)] })

const atMostFive = rule(loan, ['member', 'status'], async (next, previous, { read }) => {
  const isCounted = previous?.status === 'OPEN' && previous.member === next.member
  if (next.status !== 'OPEN' || isCounted) return undefined
  const open = await read(loan).count({ member: next.member, status: 'OPEN' })
  return open < 5 ? undefined : { field: 'member', detail: 'Member ' + next.member + ' already has 5 open loans.' }
})

export default service({ name: 'library', apis: [library], rules: [atMostFive] })
`

const numberOfClients = 64
const numberOfMembers = 4
const attempts = numberOfRuns(500, 40_000)

async function onSqlite(): Promise<readonly string[]> {
  const folder = serviceFolder({ 'service.ts': library })
  const first = await serve(['--database', 'sqlite:library.db'], { folder, environment: withoutLoadShedding })
  const second = await serve(['--database', 'sqlite:library.db'], { folder, environment: withoutLoadShedding })
  return [first.base, second.base]
}

async function onPostgres(): Promise<readonly string[]> {
  const { url, remove } = await temporaryPostgres()
  forTest(remove)
  const instance = async () => {
    const folder = serviceFolder({ 'service.ts': library })
    return (await serve(['--database', url], { folder, environment: withoutLoadShedding })).base
  }
  return [await instance(), await instance()]
}

it.each([
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
])('at most five open loans at any time on %s', timeoutOption(600_000, 3_600_000), async (database, startService) => {
  const seed = proofSeed()
  const random = randomFrom(seedNumber(seed))
  const bases = await startService()
  for (let index = 0; index < numberOfMembers; index++)
    await sendRequest(`${bases[0]}/member`, { method: 'POST', body: { name: `Member ${index}` } })
  const statuses = new Map<number, number>()
  const counts: number[] = []
  let attemptsLeft = attempts
  const client = async (base: string) => {
    const agent = connections(1)
    const loanIds: string[] = []
    while (attemptsLeft-- > 0) {
      const member = 1 + random.below(numberOfMembers)
      const [path, method, body] =
        loanIds.length > 0 && random.below(10) < 4
          ? [`/loan/${loanIds.pop()}`, 'PATCH', { status: 'RETURNED' }]
          : ['/loan', 'POST', { member }]
      const { status, json } = await sendRequest(base + path, { method, body, agent })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 201) loanIds.push(`${(json() as { id: number }).id}`)
      if (random.below(10) === 0) counts.push(await openLoans(base, member))
    }
  }
  await Promise.all(Array.from({ length: numberOfClients }, (_, index) => client(bases[index % 2] ?? '')))
  for (let member = 1; member <= numberOfMembers; member++) counts.push(await openLoans(bases[0] ?? '', member))
  const summary = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  console.log(
    `${database}: ${attempts} attempts of ${numberOfClients} clients (${summary.join(', ')}), PROVE_SEED=${seed}`,
  )
  expect(Math.max(...counts)).toBe(5)
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 422]))
})

async function openLoans(base: string, member: number): Promise<number> {
  const { json } = await sendRequest(`${base}/loan?member=${member}&status=OPEN`)
  return (json() as { pageInfo: { numberOfRecords: number } }).pageInfo.numberOfRecords
}
