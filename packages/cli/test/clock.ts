/** A preload for the command that shifts its clock by the milliseconds in a file. */
import { readFileSync } from 'node:fs'

const path = process.env.CLOCK_FILE ?? ''
const now = Date.now.bind(Date)
const shifted = () => now() + Number(readFileSync(path, 'utf8'))

Date.now = shifted
globalThis.Date = new Proxy(Date, {
  construct: (target, args) => (args.length === 0 ? new target(shifted()) : Reflect.construct(target, args)),
})
