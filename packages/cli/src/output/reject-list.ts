/** Rejected records: prints the first ones, and writes all of them to a file if one is given. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Reject } from '@nomen/server/admin'
import { CommandError } from '../command-error.ts'
import { numberText } from './number-text.ts'

/** How many records are printed. */
const maxPrinted = 20

/** How many characters are buffered before a write. */
const bufferLength = 65_536

export class RejectList {
  readonly #path: string | undefined
  readonly #file: number | undefined
  readonly #print: (text: string) => void
  #text = ''
  #count = 0

  constructor(path: string | undefined, print: (text: string) => void) {
    this.#path = path
    this.#file = path === undefined ? undefined : openFile(path)
    this.#print = print
  }

  add({ line, unit, reason, text }: Reject): void {
    this.#count++
    if (this.#count <= maxPrinted) this.#print(`${unit} ${numberText(line)}: ${reason}`)
    else if (this.#count === maxPrinted + 1) this.#print(this.#moreMessage(unit))
    if (this.#file === undefined) return
    this.#text += `${JSON.stringify({ [unit]: line, reason, text })}\n`
    if (this.#text.length > bufferLength) this.#write(this.#file)
  }

  close(): void {
    if (this.#file === undefined) return
    this.#write(this.#file)
    closeSync(this.#file)
  }

  #moreMessage(unit: Reject['unit']): string {
    return this.#path === undefined
      ? `More ${unit}s were rejected. Use --rejects <file> to write all of them.`
      : `More ${unit}s were rejected: see ${this.#path}.`
  }

  #write(file: number): void {
    writeSync(file, this.#text)
    this.#text = ''
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    const reason = error instanceof Error ? error.message : `${error}`
    throw new CommandError(`--rejects is ${path}, which cannot be written: ${reason}.`, 'Use another file.', 1)
  }
}
