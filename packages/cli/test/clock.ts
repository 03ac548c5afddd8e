/** A preload for the command: its clock is ahead by as many milliseconds as a file says, or behind. */
import { readFileSync } from 'node:fs'

const path = process.env.CLOCK_FILE ?? ''
const now = Date.now.bind(Date)
const shifted = () => now() + Number(readFileSync(path, 'utf8'))

Date.now = shifted
globalThis.Date = new Proxy(Date, {
  construct: (target, given) => (given.length === 0 ? new target(shifted()) : Reflect.construct(target, given)),
})
