#!/usr/bin/env node
/** The command `create-nomen`, which `npm create nomen` runs: `nomen new` of @nomen/cli with the same arguments. */
import { readFileSync } from 'node:fs'

const manifestUrl = import.meta.resolve('@nomen/cli/package.json')
const { bin } = JSON.parse(readFileSync(new URL(manifestUrl), 'utf8'))

process.argv.splice(2, 0, 'new')
await import(new URL(bin.nomen, manifestUrl).href)
