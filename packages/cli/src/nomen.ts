#!/usr/bin/env node
/** The command `nomen`: checks the version of Node and prepares the process before it loads anything else. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// Older versions of Node cannot load the other files, so that this file must not have static imports.
if (major < 22 || (major === 22 && minor < 18) || major === 23) {
  console.error(`nomen: Nomen needs Node 22.18+ or 24+. This is Node ${process.versions.node}.`)
  process.exit(2)
}
const { prepareProcess } = await import('./process/process.ts')
prepareProcess()
const { main } = await import('./main.ts')
await main(process.argv.slice(2))

export {}
