/** `npm run bench:computed`: the cost of a computed field. */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { end } from '../child.ts'
import {
  type Contender,
  type DatabaseKind,
  type RunningContender,
  serveArguments,
  sourceArguments,
  start,
} from '../contender.ts'
import { copiesIn } from '../copy.ts'
import { databaseNames } from '../database-name.ts'
import { conventions } from '../dialect/conventions.ts'
import { startLoad } from '../load.ts'
import { measure, type Turn } from '../measure.ts'
import { machine } from '../report.ts'
import { requestKinds } from '../request-kind.ts'
import { say, session } from '../session.ts'
import { positive } from '../settings.ts'
import { ratio, spread } from '../statistic.ts'

const help = `npm run bench:computed -- [options]

Serves users with and without a computed field, and compares the CPU time of a record and of a page of ten.

  --users <number>    records in the database (default: 10000)
  --rounds <number>   rounds, in which both take turns (default: 5)
  --seconds <number>  length of one turn (default: 2)`

const service = fileURLToPath(import.meta.resolve('./service.ts'))

const contender = (name: string, database: DatabaseKind): Contender => ({
  name,
  database,
  dialect: conventions,
  command: (resources) => ({ args: serveArguments(sourceArguments, service, resources) }),
})

const kinds = requestKinds.filter(({ name }) => name === 'GET one' || name === 'list')

await session('bench:computed', async (folder) => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { users: text, rounds: text, seconds: text, help: { type: 'boolean' } } })
  if (values.help) return console.log(help)
  const users = positive('users', values.users, 10_000)
  const rounds = positive('rounds', values.rounds, 5)
  const seconds = positive('seconds', values.seconds, 2)
  console.log(machine())
  const load = startLoad()
  for (const database of ['sqlite', 'postgres'] as const) {
    const copies = await copiesIn(folder, database)
    const contenders: RunningContender[] = []
    for (const [name, isComputed] of Object.entries({ without: 'no', with: 'yes' })) {
      // No load shedding on a busy machine.
      const environment = { SAMPLE_USERS: `${users}`, COMPUTED: isComputed, WAIT_LIMIT: '0' }
      // The first contender fills the database.
      if (contenders.length === 0)
        await end((await start(contender('fill', database), copies.original, folder, environment)).child)
      contenders.push(await start(contender(name, database), await copies.copy(name), folder, environment))
    }
    for (const kind of kinds) {
      const onTurn = (name: string) => say(`${kind.name}: ${name}`)
      const [turns] = await measure(load, [contenders], kind, { users, connections: 64, rounds, seconds }, { onTurn })
      say('')
      console.log(
        line(`${databaseNames[database]}, ${kind.name}`, turns?.get('without') ?? [], turns?.get('with') ?? []),
      )
    }
    for (const { child } of contenders) await end(child)
    await copies.remove()
  }
  await end(load)
})

/** By CPU time, which other programs on the machine affect less. */
function line(name: string, withoutField: readonly Turn[], withField: readonly Turn[]): string {
  const processor = (turns: readonly Turn[]) => turns.map((turn) => turn.processor ?? Number.NaN)
  const [before, after] = [processor(withoutField), processor(withField)]
  const medians = [before, after].map((times) => `${spread(times).median.toFixed(0)} µs`)
  const { median, least, most } = ratio(after, before)
  const share = `${median.toFixed(2)} times as much (${least.toFixed(2)} to ${most.toFixed(2)})`
  return `${name.padEnd(20)} ${medians[0]} CPU time without, ${medians[1]} with it: ${share}`
}
