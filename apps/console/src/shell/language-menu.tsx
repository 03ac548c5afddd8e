/** Chooses the language of the page, and the time zone of times. Each language has its own name for itself. */
import { ActionIcon, Menu } from '@mantine/core'
import { chooseLanguage, type Language, languageNames, text } from '../language/language.ts'
import { useLanguage } from '../language/use-language.ts'
import { chooseTimeZone, useTimeZone } from '../state/time-zone.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'

export function LanguageMenu() {
  const language = useLanguage()
  const zone = useTimeZone()
  const { times, timesInUtc, timesInLocalTime } = text().shell
  const title = text().shell.languageIs(languageNames[language])
  return (
    <ButtonMenu
      position="bottom-end"
      button={
        <ActionIcon variant="subtle" color="gray" c="dimmed" size="lg" aria-label={title} title={title}>
          <Icon name="language" size={18} />
        </ActionIcon>
      }
    >
      {Object.entries(languageNames).map(([code, name]) => (
        <Menu.CheckboxItem
          key={code}
          lang={code}
          checked={code === language}
          closeMenuOnClick
          onChange={() => chooseLanguage(code as Language)}
        >
          {name}
        </Menu.CheckboxItem>
      ))}
      <Menu.Divider />
      <Menu.Label>{times}</Menu.Label>
      {(['utc', 'local'] as const).map((name) => (
        <Menu.CheckboxItem key={name} checked={name === zone} closeMenuOnClick onChange={() => chooseTimeZone(name)}>
          {name === 'utc' ? timesInUtc : timesInLocalTime(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        </Menu.CheckboxItem>
      ))}
    </ButtonMenu>
  )
}
