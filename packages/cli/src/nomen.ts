#!/usr/bin/env node
/** The command `nomen`: prepares the process, and only then loads what there is to run. */
import { prepareProcess } from './process/process.ts'

prepareProcess()
const { main } = await import('./main.ts')
await main(process.argv.slice(2))
