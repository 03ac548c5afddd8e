/** Runs contenders in turns, and compares how much each does in a second of processor time. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Does its work once, and returns how many units that was. */
export type Contender = () => number | Promise<number>

const resolver = createRequire(import.meta.filename)

/** Imports a library of this folder: the repository does not depend on it. */
export async function library<Module>(name: string): Promise<Module> {
  return await import(pathToFileURL(resolver.resolve(name)).href)
}

/** The first contender is ours. All threads of the process count, and other programs on the machine do not. */
export async function compare(unit: string, contenders: Readonly<Record<string, Contender>>): Promise<void> {
  const rates = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]))
  const counts = new Set<number>()
  for (let round = -2; round < 7; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      globalThis.gc?.()
      const before = process.cpuUsage()
      const units = await run()
      const { user, system } = process.cpuUsage(before)
      if (counts.add(units).size > 1) throw new Error(`${name} has ${units} ${unit}, and others do not.`)
      if (round >= 0) rates.get(name)?.push((units * 1e6) / (user + system))
    }
  }
  const [ours = []] = rates.values()
  console.log(`| | ${unit} per CPU second | ours / theirs |\n|---|---:|---:|`)
  for (const [name, own] of rates) {
    const ratios = ours.map((rate, round) => rate / (own[round] ?? Number.NaN)).sort((a, b) => a - b)
    const [least, median, most] = [0, 3, 6].map((index) => ratios[index]?.toFixed(2))
    const rate = own.toSorted((a, b) => a - b)[3]?.toLocaleString('en-US', { maximumSignificantDigits: 3 })
    console.log(`| ${name} | ${rate} | ${own === ours ? '' : `${median} (${least} to ${most})`} |`)
  }
}
