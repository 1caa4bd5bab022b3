import { type Metrics as Given, shownOf } from '../../data/rating.ts'
import { Fact } from '../../ui/facts.tsx'
import { say } from './texts.ts'

/** Shows the metrics of a conversation, the visitor's rating first. */
export function Metrics({ metrics }: { readonly metrics: Given }) {
  const { score, comment, others } = shownOf(metrics)
  return (
    <>
      {score !== null && <Fact name={say('rating.visitor')}>{say('rating.of', { score })}</Fact>}
      {comment !== null && (
        <Fact name={say('comment')}>
          <p class="text">{comment}</p>
        </Fact>
      )}
      {others.length > 0 && (
        <Fact name={say('metrics')}>
          {others.map(([name, values]) => (
            <div key={name}>
              <code>{name}</code>
              {values.length === 1 ? (
                <>: {values[0]}</>
              ) : (
                <ul class="values">
                  {values.map((value, at) => (
                    <li key={at}>{value}</li>
                  ))}
                </ul>
              )}
            </div>
          ))}
        </Fact>
      )}
    </>
  )
}
