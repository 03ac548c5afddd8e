/**
 * Does what a page says, block by block, in one empty folder, as its reader would: saves files, runs commands, and holds what
 * they say against what is shown. What it does not know how to do is a fault, so that nothing on a page is untried.
 *
 * | block | |
 * |---|---|
 * | its first line is a comment with the name of a file, or the sentence above ends with one: `` `db.json`: `` | is saved |
 * | `diff`, the first line of which names a file | is made in that file |
 * | `sh` | its commands are run; a server goes on until the page starts another on its port, or ends |
 * | `console` | the same behind `$ `, with what each says |
 * | any other, such as `json`, `http`, `text` | what came of the block before it: of commands, or of a file that is served anew |
 *
 * A command may fail only where what it says is shown.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Block, blocksOf, fileOf } from './block.ts'
import { changed, fileChange } from './change-file.ts'
import { commandsOf } from './commands-of.ts'
import { isImported, readText } from './imported.ts'
import { install } from './install.ts'
import { Ports } from './ports.ts'
import { readerShell } from './reader-shell.ts'
import { root } from './root.ts'
import { type Beside, type Shell, until } from './shell.ts'
import { compare } from './shown.ts'
import { typeFaults } from './types.ts'

/** A command that goes on, and what it says when it is ready. */
export interface Server {
  readonly command: RegExp
  readonly ready: RegExp
}

export interface FollowOptions {
  /** Packages that are there at the start. */
  readonly installed?: readonly string[]
  /** Files that are there at the start, such as what a reader brings along. */
  readonly files?: Readonly<Record<string, string>>
  /** What the page says, and what it is here: `{ 'postgres://127.0.0.1/desk': url }`. */
  readonly replace?: Readonly<Record<string, string>>
  /** Servers that only this page has. */
  readonly servers?: readonly Server[]
  /** Blocks that the test proves by itself. */
  readonly isProven?: (block: Block) => boolean
  /** Does what a reader does beside the page, such as to look at a browser, when a block has been done. */
  readonly afterBlock?: (block: Block, followed: Followed) => Promise<void>
}

export interface Followed extends AsyncDisposable {
  /** Where the page has led to. */
  readonly folder: string
  /** An address that the page names, as it is here. */
  readonly address: (shown: string) => string
  /** Runs a command where the page has led to, and gives what it says. It must not fail. */
  readonly run: (command: string) => Promise<string>
}

/** Behind what is set for it alone: `PORT=3000 npm start`. */
const servers: readonly Server[] = [
  { command: /^(?:\w+=\S+ )*(?:(?:npx )?nomen serve\b|npm (?:start|run dev)\b)/, ready: /is served at / },
  { command: /^(?:\w+=\S+ )*npx vite\b(?! build)/, ready: /Local:/ },
]

/** A reader has it with the command; whoever runs a single test may not have built it, and `nomen serve` does not name it then. */
const hasConsole = existsSync(join(root, 'packages/cli/static/console/index.html'))

/** What a service that watches its files says at the end of every change. */
const isServedAnew = /has changed, and is served\.|goes on being served\.|as soon as that is fixed\./

/** `page` is a path from the root of this checkout. Whoever has followed it disposes of what it has left running: `await using`. */
export async function follow(page: string, options: FollowOptions = {}): Promise<Followed> {
  const text = readFileSync(resolve(root, page), 'utf8')
  const blocks = blocksOf(text)
  const follower = new Follower(await Ports.of(text), options)
  try {
    for (const [at, block] of blocks.entries()) {
      try {
        await follower.take(block, blocks[at + 1])
        await options.afterBlock?.(block, follower)
      } catch (error) {
        if (error instanceof Error) error.message = `${page}:${block.line}: ${error.message}`
        throw error
      }
    }
    await follower.expectTypes()
  } catch (error) {
    await follower[Symbol.asyncDispose]()
    throw error
  }
  return follower
}

/** What was said last, and whether more may come. */
interface Last {
  readonly said: () => string
  readonly isLive: boolean
}

class Follower implements Followed {
  readonly #ports: Ports
  readonly #options: FollowOptions
  readonly #base = mkdtempSync(join(tmpdir(), 'nomen-page-'))
  readonly #own = join(this.#base, 'own')
  readonly #shell: Shell
  readonly #running = new Map<string, Beside>()
  /** The paths of what is to be compiled in the end. */
  readonly #sources = new Set<string>()
  #last: Last | undefined

  constructor(ports: Ports, options: FollowOptions) {
    this.#ports = ports
    this.#options = options
    const { shell, folder } = readerShell(this.#base, this.#own, ports)
    this.#shell = shell
    for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(join(folder, name), text)
    if (options.installed) install(folder, options.installed)
  }

  get folder(): string {
    return this.#shell.folder
  }

  readonly address = (shown: string): string => this.#real(shown)
  readonly run = (command: string): Promise<string> => this.#finish(command, false)

  async take(block: Block, next: Block | undefined): Promise<void> {
    const { language, code } = block
    const file = fileOf(block)
    if (this.#options.isProven?.(block)) return
    if (file) await this.#save(file.name, () => file.text)
    else if (language === 'diff') {
      const change = fileChange(code)
      await this.#save(change.name, (before) => changed(before, change))
    } else if (language === 'sh' || language === 'console') await this.#run(block, next)
    else if (this.#last) {
      await this.#expectShown(language, code)
      this.#last = undefined
    } else
      throw new Error(
        `Nobody knows what to do with this block (${language}): it is no file, no command, and no output of one.`,
      )
  }

  async expectTypes(): Promise<void> {
    const faults = await typeFaults([...this.#sources], this.folder, this.#own)
    if (faults !== '') throw new Error(`What the page has written does not compile:\n${faults}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#shell.close()
    } finally {
      rmSync(this.#base, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  #real(text: string): string {
    const given = Object.entries(this.#options.replace ?? {})
    return this.#ports.real(given.reduce((told, [shown, here]) => told.replaceAll(shown, here), text))
  }

  #shown(text: string): string {
    const given = Object.entries(this.#options.replace ?? {})
    return this.#ports.shown(given.reduce((told, [shown, here]) => told.replaceAll(here, shown), text))
  }

  /** Saves a file, and waits until it is served where a service watches it. */
  async #save(name: string, text: (before: string) => string): Promise<void> {
    const path = join(this.folder, name)
    const before = readText(path)
    const watching = before === undefined ? undefined : this.#watching(name)
    const from = watching?.said().length
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, this.#real(text(this.#shown(before ?? ''))))
    if (/\.tsx?$/.test(name)) this.#sources.add(path)
    this.#last = undefined
    if (!watching) return
    const said = () => watching.said().slice(from)
    await until(() => isServedAnew.test(said()), 15_000, `${name} is served anew`)
    this.#last = { said, isLive: true }
  }

  /** The service that is served anew when this file changes. */
  #watching(name: string): Beside | undefined {
    const one = this.#running.values().find(({ command }) => /--watch|npm run dev/.test(command))
    return one && isImported(name, 'service.ts', this.folder) ? one : undefined
  }

  async #run(block: Block, next: Block | undefined): Promise<void> {
    const commands = commandsOf(block.language, block.code)
    const isShown = next !== undefined && isOutput(next)
    const said: string[] = []
    for (const [at, { text, output }] of commands.entries()) {
      const server = [...servers, ...(this.#options.servers ?? [])].find(({ command }) => command.test(text))
      if (server) this.#last = await this.#serve(text, server)
      else {
        const mayFail = output !== undefined || (isShown && at === commands.length - 1)
        said.push(await this.#finish(text, mayFail))
        const all = output === undefined ? said.join('') : `${said.at(-1)}`
        this.#last = { said: () => all, isLive: false }
      }
      if (output !== undefined) await this.#expectShown('text', output)
    }
  }

  async #finish(command: string, mayFail: boolean): Promise<string> {
    const { code, output } = await this.#shell.run(this.#real(command))
    if (code !== 0 && !mayFail)
      throw new Error(`${command}\nends with ${code}, which the page does not show:\n${output}`)
    return this.#shown(output)
  }

  /** A second server on a port takes the place of the first, as it does for a reader who has stopped that one. */
  async #serve(command: string, { ready }: Server): Promise<Last> {
    const port = /--port[= ](\d+)|\bPORT=(\d+)/.exec(command)?.slice(1).find(Boolean) ?? ready.source
    await this.#running.get(port)?.stop()
    const beside = await this.#shell.start(this.#real(command))
    this.#running.set(port, beside)
    await until(() => ready.test(beside.said()) || beside.isOver(), 30_000, `${command}\nis ready`)
    if (beside.isOver()) throw new Error(`${command}\nended:\n${beside.said()}`)
    return { said: () => beside.said(), isLive: true }
  }

  /** What a server says may still be on its way. */
  async #expectShown(language: string, shown: string): Promise<void> {
    const last = this.#last
    const expected = hasConsole ? shown : shown.replace(/^ +console +http.*\n/gm, '')
    for (let left = last?.isLive ? 200 : 0; ; left--) {
      try {
        return compare(language, expected, this.#shown(last?.said() ?? ''))
      } catch (error) {
        if (left <= 0) throw error
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
  }
}

function isOutput(block: Block): boolean {
  return !['sh', 'console', 'diff'].includes(block.language) && !fileOf(block)
}
