/** `npm run bench:library -- <part>`: parts of Nomen that are written by hand against libraries that could replace them. */
import { spawnSync } from 'node:child_process'

const parts: Readonly<Record<string, () => Promise<unknown>>> = {
  log: () => import('./log.ts'),
  metrics: () => import('./metrics.ts'),
  rate: () => import('./rate.ts'),
  csv: () => import('./records.ts'),
  json: () => import('./records.ts'),
}

const part = parts[process.argv[2] ?? '']
if (!part) console.log(`Usage: npm run bench:library -- <${Object.keys(parts).join('|')}>`)
else {
  spawnSync('npm', ['ci', '--ignore-scripts', '--silent'], { cwd: import.meta.dirname, stdio: 'inherit' })
  console.log(`Node ${process.versions.node}; medians of 7 rounds, and ratios within rounds (least to most)\n`)
  await part()
}
