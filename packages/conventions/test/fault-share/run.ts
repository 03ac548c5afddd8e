/** Prints how often `nomen check` finds a fault that affects 1 %, 10 % and 30 % of the records, over 100 seeds. */
import { partialFaults } from './partial-fault.ts'
import { shareFound } from './share-found.ts'

const sizes = [50, 300]
const shares = [0.01, 0.1, 0.3]
const seeds = 100

console.log('| fault | check | records | 1 % | 10 % | 30 % | skipped |')
console.log('|---|---|---|---|---|---|---|')
for (const fault of partialFaults)
  for (const size of sizes) {
    const cells: string[] = []
    let excused = 0
    for (const share of shares) {
      const result = await shareFound(fault, { size, share, seeds })
      cells.push(`${result.found} %`)
      excused += result.excused
    }
    console.log(`| ${fault.name} | \`${fault.code}\` | ${size} | ${cells.join(' | ')} | ${excused} |`)
  }
