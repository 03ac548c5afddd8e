/** Lists roles, opens, adds, changes and deletes them, on mocks alone: there is no service behind this page. */
import { client, ProblemError } from '@nomen/core/client'
import type { access } from '@nomen/directory'
import { mock } from '@nomen/directory/mocks'
import { setupWorker } from 'msw/browser'

const { role } = client<typeof access>({ baseUrl: location.origin, version: 1 })

const rows = find('rows', HTMLTableSectionElement)
const form = find('form', HTMLFormElement)
const name = form.elements.namedItem('name') as HTMLInputElement
const description = form.elements.namedItem('description') as HTMLTextAreaElement

/** The role that is open in the form; undefined for a new one. */
let opened: number | undefined

function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`The page has no ${kind.name} "${id}".`)
}

async function list(): Promise<void> {
  const { results, pageInfo } = await role.list()
  rows.replaceChildren(...results.map((one) => row(one.roleRef, [one.name, one.description])))
  find('total', HTMLParagraphElement).textContent = `${pageInfo.numberOfRecords} roles`
}

function row(roleRef: number, texts: readonly string[]): HTMLTableRowElement {
  const made = document.createElement('tr')
  made.ariaSelected = `${roleRef === opened}`
  made.append(
    ...texts.map((text) => {
      const cell = document.createElement('td')
      cell.textContent = text
      return cell
    }),
  )
  made.addEventListener('click', () => attempt(() => open(roleRef)))
  return made
}

async function open(roleRef: number | undefined): Promise<void> {
  const shown = roleRef === undefined ? { name: '', description: '' } : await role.read(roleRef)
  opened = roleRef
  find('form-title', HTMLHeadingElement).textContent = roleRef === undefined ? 'New role' : `Role ${roleRef}`
  find('delete', HTMLButtonElement).hidden = roleRef === undefined
  name.value = shown.name
  description.value = shown.description
  form.hidden = false
  name.focus()
  await list()
}

async function save(): Promise<void> {
  const given = { name: name.value, description: description.value }
  const saved =
    opened === undefined ? await role.create({ applicationRef: 1, ...given }) : await role.update(opened, given)
  await open(saved.roleRef)
  say(`${saved.name} is saved.`)
}

async function remove(): Promise<void> {
  if (opened === undefined) return
  await role.delete(opened)
  opened = undefined
  form.hidden = true
  await list()
  say('The role is deleted.')
}

function say(text: string): void {
  find('message', HTMLParagraphElement).textContent = text
}

async function attempt(work: () => Promise<void>): Promise<void> {
  say('')
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    say([error.message, error.hint].join(' '))
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  attempt(save)
})
find('delete', HTMLButtonElement).addEventListener('click', () => attempt(remove))
find('new', HTMLButtonElement).addEventListener('click', () => attempt(() => open(undefined)))

await setupWorker(...mock.handlers).start({ onUnhandledFrame: 'bypass' })
await attempt(list)
