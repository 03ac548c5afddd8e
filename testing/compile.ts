/** The global setup of the tests: bundles the packages whose sources are newer than their bundles. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newest } from '../scripts/newest.ts'
import { bundle } from '../scripts/pack/bundle.ts'

const root = join(import.meta.dirname, '..')

export default async function setup(): Promise<void> {
  for (const name of ['core', 'server', 'conventions', 'cli']) {
    const folder = join(root, 'packages', name)
    // The file is written last, so an interrupted build does not have it.
    const stampFile = join(folder, 'dist/.compiled')
    const builtTime = statSync(stampFile, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (builtTime > newest(folder, ['src/**/*', 'package.json'])) continue
    await bundle(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    writeFileSync(stampFile, '')
  }
}
