import { Select, TextArea } from '../../ui/field.tsx'
import { AFTERS, type Expected } from './expectations.ts'
import { say } from './texts.ts'

interface ExpectationFieldsProps {
  readonly value: Expected
  readonly onChange: (changes: Partial<Expected>) => void
  /** Names of the topics to choose from. */
  readonly topics: readonly string[]
}

/** Edits the expectations of an answer. */
export function ExpectationFields({ value, onChange, topics }: ExpectationFieldsProps) {
  const { citedTopic, contains, notContains, after } = value
  const named = topics.includes(citedTopic) || citedTopic === '' ? topics : [citedTopic, ...topics]
  return (
    <>
      <TextArea
        label={say('case.contains')}
        hint={say('case.hint')}
        value={contains}
        onChange={words => onChange({ contains: words })}
        rows={2}
      />
      <TextArea
        label={say('case.contains-not')}
        hint={say('case.hint')}
        value={notContains}
        onChange={words => onChange({ notContains: words })}
        rows={2}
      />
      <Select
        label={say('should.topic')}
        value={citedTopic}
        onChange={name => onChange({ citedTopic: name })}
        options={[['', say('should.any')], ...named.map(name => [name, name] as const)]}
      />
      <Select
        label={say('should.after')}
        value={after}
        onChange={name => onChange({ after: AFTERS.find(one => one === name) ?? '' })}
        options={AFTERS.map(one => [one, one === '' ? say('should.any') : say(`expects.${one}`)] as const)}
      />
    </>
  )
}
