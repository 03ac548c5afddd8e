/** The command palette: nouns, saved views, actions and records, found by typing. */
import { Loader, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { text } from '../language/language.ts'
import { useSavedViews } from '../saved-view/use-saved-views.ts'
import { useConsole } from '../state/console-context.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { Icon } from '../view/icon.tsx'
import { actionEntries, type Entry, type EntryGroup, matching, nounEntries, viewEntries } from './entry.ts'
import { useRecordEntries } from './use-record-entries.ts'

interface PaletteProps {
  readonly docs: string | undefined
  readonly typed: string
  onTyped(typed: string): void
  onShortcuts(): void
  onClose(): void
}

export default function Palette({ docs, typed, onTyped, onShortcuts, onClose }: PaletteProps) {
  const [search] = useDebouncedValue(typed.trim(), 200)
  const records = useRecordEntries(search)
  /** The records are those of the typed text. */
  const isCurrent = search === typed.trim() && !records.isLoading
  const [isAwaited, setAwaited] = useState(false)
  const groups = useGroups(docs, onShortcuts)
    .map(({ title, entries }) => ({ title, entries: matching(entries, typed) }))
    .concat(typed.trim() === '' ? [] : { title: text().view.records, entries: records.entries })
    .filter(({ entries }) => entries.length > 0)
  const all = groups.flatMap(({ entries }) => entries)
  const [selected, setSelected] = useState<string>()
  const at = Math.max(
    0,
    all.findIndex(({ id }) => id === selected),
  )
  const current = all[at]
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected option stays visible
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  // Enter waits for the records of the typed text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the records are there
  useEffect(() => {
    if (!isAwaited || !isCurrent) return
    setAwaited(false)
    if (selected === undefined || selected === current?.id) run(current)
  }, [isAwaited, isCurrent])
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setSelected(all[(at + step + all.length) % all.length]?.id)
    else if (event.key !== 'Enter') return
    else if (current === undefined || records.entries.includes(current)) setAwaited(true)
    else run(current)
    event.preventDefault()
  }
  const { palette, actionLine, noResults } = text().view
  return (
    <Dialog title={palette} size="lg" padding={0} onClose={onClose} classNames={{ header: 'palette-head' }}>
      <div className="palette-input">
        <Icon name="search" size={16} />
        <input
          data-autofocus
          role="combobox"
          aria-label={palette}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current && optionId(listId, current)}
          placeholder={actionLine}
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            onTyped(value)
            setSelected(undefined)
            setAwaited(false)
          }}
          onKeyDown={press}
        />
        {!isCurrent && <Loader size={14} role="img" aria-label={text().common.searching} />}
      </div>
      <div ref={list} id={listId} role="listbox" aria-label={palette} className="palette-list">
        {groups.map((group) => (
          <Group key={group.title} group={group} listId={listId} current={current} onSelect={setSelected} onRun={run} />
        ))}
      </div>
      {all.length === 0 && isCurrent && (
        <p className="palette-empty" role="status">
          {noResults}
        </p>
      )}
    </Dialog>
  )
}

function optionId(listId: string, { id }: Entry): string {
  return `${listId} ${id}`.replaceAll(/[^\w-]/g, '-')
}

interface GroupProps {
  readonly group: EntryGroup
  readonly listId: string
  readonly current: Entry | undefined
  onSelect(id: string): void
  onRun(entry: Entry): void
}

function Group({ group: { title, entries }, listId, current, onSelect, onRun }: GroupProps) {
  const titleId = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, not of inputs
    <div role="group" aria-labelledby={titleId}>
      <div id={titleId} role="presentation" className="palette-title">
        {title}
      </div>
      {entries.map((entry) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the input keeps the focus and has the keys
        <div
          key={entry.id}
          id={optionId(listId, entry)}
          role="option"
          aria-selected={entry === current}
          className="palette-option"
          onPointerMove={() => onSelect(entry.id)}
          onClick={() => onRun(entry)}
        >
          <Icon name={entry.icon} size={15} />
          <span className="palette-name">{entry.title}</span>
          <span className="palette-detail" title={entry.detail}>
            {entry.detail}
          </span>
        </div>
      ))}
    </div>
  )
}

/** The groups that need no request. */
function useGroups(docs: string | undefined, onShortcuts: () => void): readonly EntryGroup[] {
  const { service } = useConsole()
  const views = useSavedViews()
  const { setColorScheme } = useMantineColorScheme()
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  const { shell, view } = text()
  const actions: readonly Entry[] = [
    ...actionEntries(service),
    ...(docs === undefined
      ? []
      : [{ id: 'docs', title: shell.docs, icon: 'docs', run: () => location.assign(docs) } as const]),
    {
      id: 'scheme',
      title: other === 'dark' ? shell.useDark : shell.useLight,
      icon: other === 'dark' ? 'moon' : 'sun',
      run: () => setColorScheme(other),
    },
    { id: 'shortcuts', title: view.shortcuts, icon: 'key', run: onShortcuts },
  ]
  return [
    { title: view.nouns, entries: nounEntries(service) },
    { title: view.views, entries: viewEntries(service, views) },
    { title: view.actions, entries: actions },
  ]
}
