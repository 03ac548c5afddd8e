/**
 * Executes a page block by block in one empty folder, as its reader would: saves files, runs commands, and compares their
 * output with the page. An unknown block is an error, so that everything on a page is tested.
 *
 * | block | |
 * |---|---|
 * | its first line is a comment with the name of a file, or the sentence above ends with one: `` `db.json`: `` | is saved |
 * | `diff`, whose first line has the name of a file | is applied to that file |
 * | `sh` | its commands are run; a server runs until the page starts another on its port, or ends |
 * | `console` | the same after `$ `, with the output of each command |
 * | any other, such as `json`, `http`, `text` | the output of the block before it: of commands, or of a reloaded service |
 *
 * A command may fail only if the page shows its output.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Block, blocksOf, fileOf } from './block.ts'
import { applyChange, fileChange } from './change-file.ts'
import { commandsOf } from './commands-of.ts'
import { isImported, readText } from './imported.ts'
import { install } from './install.ts'
import { Ports } from './ports.ts'
import { readerShell } from './reader-shell.ts'
import { root } from './root.ts'
import { type BackgroundCommand, type Shell, waitFor } from './shell.ts'
import { compare } from './shown.ts'
import { typeFaults } from './types.ts'

/** A command that keeps running, and its output when it is ready. */
export interface Server {
  readonly command: RegExp
  readonly ready: RegExp
}

export interface FollowOptions {
  /** Packages that are installed at the start. */
  readonly installed?: readonly string[]
  /** Files that exist at the start. */
  readonly files?: Readonly<Record<string, string>>
  /** Commands that run before the page. */
  readonly setup?: string
  /** Texts of the page with their replacements: `{ 'postgres://127.0.0.1/desk': url }`. */
  readonly replace?: Readonly<Record<string, string>>
  /** Further servers of this page. */
  readonly servers?: readonly Server[]
  /** Blocks that the test itself checks. */
  readonly isTestedElsewhere?: (block: Block) => boolean
  /** Called after each block, for actions outside the page, such as in a browser. */
  readonly afterBlock?: (block: Block, followed: FollowedPage) => Promise<void>
}

export interface FollowedPage extends AsyncDisposable {
  /** The current folder. */
  readonly folder: string
  /** The actual URL for a URL on the page. */
  readonly realUrl: (pageText: string) => string
  /** Runs a command in the current folder, and returns its output. The command must not fail. */
  readonly run: (command: string) => Promise<string>
}

/** Commands may start with variables: `PORT=3000 npm start`. */
const servers: readonly Server[] = [
  { command: /^(?:\w+=\S+ )*(?:(?:npx )?nomen serve\b|npm (?:start|run dev)\b)/, ready: /is running at / },
  { command: /^(?:\w+=\S+ )*npx vite\b(?! build)/, ready: /Local:/ },
]

/** Readers have the console. A single test may run without it, and then `nomen serve` does not print its URL. */
const hasConsole = existsSync(join(root, 'packages/cli/static/console/index.html'))

/** The output of a watching service after every change. */
const isReloaded =
  /changed, service reloaded\.|The previous version keeps running\.|The service starts when you fix this error\./

/** `page` is a path from the root of this checkout. Dispose of the result to stop its servers: `await using`. */
export async function follow(page: string, options: FollowOptions = {}): Promise<FollowedPage> {
  const text = readFileSync(resolve(root, page), 'utf8')
  const blocks = blocksOf(text)
  const follower = new Follower(await Ports.of(text), options)
  try {
    if (options.setup !== undefined) await follower.run(options.setup)
    for (const [index, block] of blocks.entries()) {
      try {
        await follower.followBlock(block, blocks[index + 1])
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

/** The last output, and whether more may follow. */
interface LastOutput {
  readonly text: () => string
  readonly isLive: boolean
}

class Follower implements FollowedPage {
  readonly #ports: Ports
  readonly #options: FollowOptions
  readonly #base = mkdtempSync(join(tmpdir(), 'nomen-page-'))
  readonly #shellFolder = join(this.#base, 'shell')
  readonly #shell: Shell
  readonly #running = new Map<string, BackgroundCommand>()
  /** The paths of files that are compiled at the end. */
  readonly #sources = new Set<string>()
  #last: LastOutput | undefined

  constructor(ports: Ports, options: FollowOptions) {
    this.#ports = ports
    this.#options = options
    const { shell, folder } = readerShell(this.#base, this.#shellFolder, ports)
    this.#shell = shell
    for (const [name, text] of Object.entries(options.files ?? {})) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    if (options.installed) install(folder, options.installed)
  }

  get folder(): string {
    return this.#shell.folder
  }

  readonly realUrl = (pageText: string): string => this.#real(pageText)
  readonly run = (command: string): Promise<string> => this.#finish(command, false)

  async followBlock(block: Block, next: Block | undefined): Promise<void> {
    const { language, code } = block
    const file = fileOf(block)
    if (this.#options.isTestedElsewhere?.(block)) return
    if (file) await this.#save(file.name, () => file.text)
    else if (language === 'diff') {
      const change = fileChange(code)
      await this.#save(change.name, (before) => applyChange(before, change))
    } else if (language === 'sh' || language === 'console') await this.#run(block, next)
    else if (this.#last) {
      await this.#expectShown(language, code)
      this.#last = undefined
    } else
      throw new Error(`Unknown block (${language}): it is not a file, not a command, and not the output of a command.`)
  }

  async expectTypes(): Promise<void> {
    const faults = await typeFaults([...this.#sources], this.folder, this.#shellFolder)
    if (faults !== '') throw new Error(`The files of the page do not compile:\n${faults}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#shell.close()
    } finally {
      rmSync(this.#base, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  #real(text: string): string {
    const replacements = Object.entries(this.#options.replace ?? {})
    return this.#ports.toFreePorts(
      replacements.reduce((result, [pageText, replacement]) => result.replaceAll(pageText, replacement), text),
    )
  }

  #shown(text: string): string {
    const replacements = Object.entries(this.#options.replace ?? {})
    return this.#ports.toPagePorts(
      replacements.reduce((result, [pageText, replacement]) => result.replaceAll(replacement, pageText), text),
    )
  }

  /** Saves a file, and waits for the reload if a service watches it. */
  async #save(name: string, text: (before: string) => string): Promise<void> {
    const path = join(this.folder, name)
    const before = readText(path)
    const watching = before === undefined ? undefined : this.#watching(name)
    const from = watching?.output().length
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, this.#real(text(this.#shown(before ?? ''))))
    if (/\.tsx?$/.test(name)) this.#sources.add(path)
    this.#last = undefined
    if (!watching) return
    const output = () => watching.output().slice(from)
    await waitFor(() => isReloaded.test(output()), 15_000, `${name} is reloaded`)
    this.#last = { text: output, isLive: true }
  }

  /** The service that reloads when this file changes. */
  #watching(name: string): BackgroundCommand | undefined {
    const server = this.#running.values().find(({ command }) => /--watch|npm run dev/.test(command))
    return server && isImported(name, 'service.ts', this.folder) ? server : undefined
  }

  async #run(block: Block, next: Block | undefined): Promise<void> {
    const commands = commandsOf(block.language, block.code)
    const isShown = next !== undefined && isOutput(next)
    const outputs: string[] = []
    for (const [index, { text, output }] of commands.entries()) {
      const server = [...servers, ...(this.#options.servers ?? [])].find(({ command }) => command.test(text))
      if (server) this.#last = await this.#serve(text, server)
      else {
        const mayFail = output !== undefined || (isShown && index === commands.length - 1)
        outputs.push(await this.#finish(text, mayFail))
        const allOutput = output === undefined ? outputs.join('') : `${outputs.at(-1)}`
        this.#last = { text: () => allOutput, isLive: false }
      }
      if (output !== undefined) await this.#expectShown('text', output)
    }
  }

  async #finish(command: string, mayFail: boolean): Promise<string> {
    const { code, output } = await this.#shell.run(this.#real(command))
    if (code !== 0 && !mayFail)
      throw new Error(`${command}\nexited with ${code}, which the page does not show:\n${output}`)
    return this.#shown(output)
  }

  /** A second server on a port replaces the first one, which is stopped. */
  async #serve(command: string, { ready }: Server): Promise<LastOutput> {
    const port = /--port[= ](\d+)|\bPORT=(\d+)/.exec(command)?.slice(1).find(Boolean) ?? ready.source
    await this.#running.get(port)?.stop()
    const startedServer = await this.#shell.start(this.#real(command))
    this.#running.set(port, startedServer)
    await waitFor(() => ready.test(startedServer.output()) || startedServer.hasEnded(), 30_000, `${command}\nis ready`)
    if (startedServer.hasEnded()) throw new Error(`${command}\nended:\n${startedServer.output()}`)
    return { text: () => startedServer.output(), isLive: true }
  }

  /** The output of a server may be delayed. */
  async #expectShown(language: string, pageText: string): Promise<void> {
    const last = this.#last
    const expected = hasConsole ? pageText : pageText.replace(/^( +console +)http.*$/gm, '$1…')
    for (let triesLeft = last?.isLive ? 200 : 0; ; triesLeft--) {
      try {
        return compare(language, expected, this.#shown(last?.text() ?? ''))
      } catch (error) {
        if (triesLeft <= 0) throw error
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
  }
}

function isOutput(block: Block): boolean {
  return !['sh', 'console', 'diff'].includes(block.language) && !fileOf(block)
}
