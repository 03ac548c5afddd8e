/** Rejected records: the first of them on the screen, all of them in a file where one is wanted. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Reject } from '@nomen/server/admin'
import { CommandError } from '../command-error.ts'
import { grouped } from './figure.ts'

/** How many are shown. */
const shown = 20

/** How much is gathered before it is written, in characters. */
const portion = 65_536

export class RejectList {
  readonly #path: string | undefined
  readonly #file: number | undefined
  readonly #say: (text: string) => void
  #text = ''
  #count = 0

  constructor(path: string | undefined, say: (text: string) => void) {
    this.#path = path
    this.#file = path === undefined ? undefined : openFile(path)
    this.#say = say
  }

  add({ line, unit, reason, text }: Reject): void {
    this.#count++
    if (this.#count <= shown) this.#say(`${unit} ${grouped(line)}: ${reason}`)
    else if (this.#count === shown + 1) this.#say(this.#more(unit))
    if (this.#file === undefined) return
    this.#text += `${JSON.stringify({ [unit]: line, reason, text })}\n`
    if (this.#text.length > portion) this.#write(this.#file)
  }

  close(): void {
    if (this.#file === undefined) return
    this.#write(this.#file)
    closeSync(this.#file)
  }

  #more(unit: Reject['unit']): string {
    return this.#path === undefined
      ? `More ${unit}s are rejected. --rejects <file> writes all of them.`
      : `More ${unit}s are rejected: see ${this.#path}.`
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
    throw new CommandError(`--rejects names ${path}, which cannot be written: ${reason}.`, 'Give another file.')
  }
}
