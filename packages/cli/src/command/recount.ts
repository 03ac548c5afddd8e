/** `nomen recount`: compares the kept numbers of records with the records, and makes them right. */
import { type Miscount, type NounCount, recountDatabase } from '@nomen/server/admin'
import { redactedAddress } from '@nomen/server/internal'
import { type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { databaseFlag } from '../flag/bulk.ts'
import { counted, grouped } from '../output/figure.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [
  { name: 'check', about: 'change nothing, and exit with 1 where something differs' },
  databaseFlag,
]

export const recountCommand: Command = {
  name: 'recount',
  flags,
  help: `Usage: nomen recount [service file or folder] [options]

Totals and the beginnings of pages come from numbers that triggers in the database keep. Where somebody has written past
these triggers, or a database was restored in part, lists show wrong totals, or miss records. This command counts the
records, says what differs, and makes it right in one transaction. Services may go on meanwhile: writes of the nouns
that are counted anew wait, reads do not.

${flagHelp(flags)}`,
  async run(given) {
    const args = readArguments(flags, given)
    const isCheck = args.isOn('check')
    const service = await loadService(args.positionals[0])
    const database = args.text('database') ?? `sqlite:data/${service.name}.db`
    const counts = await recountDatabase(database, service.operations, isCheck ? 'check' : 'fix')
    const width = Math.max(...counts.map(({ noun }) => noun.length)) + 2
    for (const count of counts) {
      const faults = faultsOf(count)
      const verdict = faults.length === 0 ? 'counted right' : isCheck ? 'COUNTED WRONG' : 'counted anew'
      console.log(`${count.noun.padEnd(width)}${counted(count.numberOfRecords, 'record')}, ${verdict}`)
      for (const fault of faults) console.log(`  ${fault}`)
    }
    const wrong = counts.filter((count) => faultsOf(count).length > 0).length
    console.log(summary(wrong, counts.length, isCheck, redactedAddress(database)))
    if (isCheck && wrong > 0) process.exitCode = 1
  },
}

function faultsOf({ miscounts, missing }: NounCount): readonly string[] {
  const gone = missing.length === 0 ? [] : [`gone, or off: ${missing.join(', ')}`]
  return [...gone, ...miscounts.map(faultOf)]
}

function faultOf({ values, kept, counted: there, parts }: Miscount): string {
  const which = values.map(([field, value]) => `${field} ${value ?? 'null'}`).join(', ') || 'all'
  return kept === there
    ? `${which}: the total is right, ${counted(parts, 'number')} that pages are found by ${parts === 1 ? 'is' : 'are'} not`
    : `${which}: ${grouped(kept)} instead of ${grouped(there)}`
}

function summary(wrong: number, nouns: number, isCheck: boolean, database: string): string {
  if (wrong === 0) return `${database} is counted right.`
  const some = `${wrong} of ${counted(nouns, 'noun')}`
  return isCheck
    ? `${some} in ${database} ${wrong === 1 ? 'is' : 'are'} counted wrong. Nothing was changed: without --check they are made right.`
    : `${some} in ${database} counted anew.`
}
