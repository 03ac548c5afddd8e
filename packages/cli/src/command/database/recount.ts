/** `nomen recount`: compares the stored totals with the records, and corrects them. */
import { type Miscount, type NounCount, recountDatabase } from '@nomen/server/admin'
import { redactedUrl } from '@nomen/server/internal'
import { type Command, type Flag, readArguments } from '../../command.ts'
import { databaseFlag, directDatabaseOf } from '../../flag/database-url.ts'
import { countText, numberText } from '../../output/number-text.ts'
import { loadService } from '../../service-file/load.ts'

const flags: readonly Flag[] = [
  { name: 'check', about: 'change nothing, and exit with 1 if a stored total is wrong' },
  databaseFlag,
]

export const recountCommand: Command = {
  name: 'recount',
  flags,
  usage: 'recount [service file or folder] [options]',
  description: `Nomen stores the totals and page offsets of lists, and database triggers update them. After writes that bypass the
triggers, or an incomplete restore, totals can be wrong, and pages of lists can lack records. This command counts the
records, reports differences, and corrects them in one transaction. Services may keep running: while a noun is corrected,
writes to it wait and reads do not.`,
  notes: `Exit codes: 0 the totals are correct, or were corrected; 1 failed, or a total is wrong with --check; 2 invalid arguments.`,
  async run(argv) {
    const args = readArguments(flags, argv)
    const isCheck = args.isOn('check')
    const service = await loadService(args.positionals[0])
    const database = directDatabaseOf(args, service)
    const counts = await recountDatabase(database, service, isCheck ? 'check' : 'fix')
    const width = Math.max(...counts.map(({ noun }) => noun.length)) + 2
    for (const count of counts) {
      const faults = faultsOf(count)
      const verdict = faults.length === 0 ? 'ok' : isCheck ? 'MISMATCH' : 'corrected'
      console.log(`${count.noun.padEnd(width)}${countText(count.numberOfRecords, 'record')}, ${verdict}`)
      for (const fault of faults) console.log(`  ${fault}`)
    }
    const numberOfWrong = counts.filter((count) => faultsOf(count).length > 0).length
    console.log(summary(numberOfWrong, counts.length, isCheck, redactedUrl(database)))
    if (isCheck && numberOfWrong > 0) process.exitCode = 1
  },
}

function faultsOf({ miscounts, missing }: NounCount): readonly string[] {
  const missingParts = missing.length === 0 ? [] : [`missing or disabled in the database: ${missing.join(', ')}`]
  return [...missingParts, ...miscounts.map(faultOf)]
}

function faultOf({ values, stored, actual, numberOfDifferences }: Miscount): string {
  const subject = values.map(([field, value]) => `${field} ${value ?? 'null'}`).join(', ') || 'all'
  return stored === actual
    ? `${subject}: total ok, ${countText(numberOfDifferences, 'page offset')} wrong`
    : `${subject}: stored total ${numberText(stored)}, actual total ${numberText(actual)}`
}

function summary(numberOfWrong: number, nouns: number, isCheck: boolean, database: string): string {
  if (numberOfWrong === 0) return `All stored totals of ${database} are correct.`
  const share = `${numberOfWrong} of ${countText(nouns, 'noun')}`
  return isCheck
    ? `Wrong stored totals for ${share} in ${database}. Nothing was changed. Run without --check to correct them.`
    : `Corrected ${share} in ${database}.`
}
