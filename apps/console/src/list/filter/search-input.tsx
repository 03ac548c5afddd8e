/** The search of a list. `/` focuses it, and Escape clears it. */
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { text } from '../../language/language.ts'
import { withValues } from '../../model/list/query.ts'
import type { NavigateOptions } from '../../state/router.ts'
import { Icon } from '../../view/icon.tsx'
import { useShortcuts } from '../../view/use-shortcuts.ts'

interface SearchInputProps {
  readonly query: URLSearchParams
  onChange(query: URLSearchParams, options?: NavigateOptions): void
}

/** A phone has no key to point to. */
const hasKeyboard = !matchMedia('(hover:none)').matches

export function SearchInput({ query, onChange }: SearchInputProps) {
  const search = query.get('search') ?? ''
  const [input, setInput] = useState(search)
  const inputRef = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => inputRef.current?.focus() })
  // The Back button and links change the URL without typing.
  useEffect(() => setInput(search), [search])
  const apply = (next: string) =>
    onChange(withValues(query, 'search', next.trim() === '' ? [] : [next]), { replaceHistory: true })
  const applyLater = useDebouncedCallback(apply, 250)
  return (
    <TextInput
      ref={inputRef}
      size="xs"
      className="list-search"
      type="search"
      aria-label={text().list.search}
      placeholder={hasKeyboard ? text().list.searchHint : text().list.search}
      leftSection={<Icon name="search" size={14} />}
      value={input}
      onChange={({ currentTarget: { value } }) => {
        setInput(value)
        applyLater(value)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (input === '') event.currentTarget.blur()
        setInput('')
        applyLater.cancel()
        if (search !== '') apply('')
      }}
    />
  )
}
