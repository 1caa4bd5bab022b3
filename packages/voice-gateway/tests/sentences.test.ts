import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentencesOf, speakable } from '../src/domain/sentences.ts'

const split = (text: string): readonly string[] =>
  sentencesOf(text, 0, true).map(({ start, end }) => text.slice(start, end))

test('VG4 texts are spoken sentence by sentence', () => {
  expect(split('Breakfast is from 7 to 10. Dogs are welcome! Are you coming?')).toEqual([
    'Breakfast is from 7 to 10. ',
    'Dogs are welcome! ',
    'Are you coming?',
  ])
  expect(split('Ask Dr. Meyer at no. 5, e.g. at 3.30 p. m. Then go.')).toEqual([
    'Ask Dr. Meyer at no. 5, e.g. at 3.30 p. m. Then go.',
  ])
  expect(split('"Yes!" he said. First line\nSecond line')).toEqual([
    '"Yes!" ',
    'he said. ',
    'First line\n',
    'Second line',
  ])
  expect(split('你好。请进！谢谢')).toEqual(['你好。', '请进！', '谢谢'])
  const long = 'word '.repeat(200)
  expect(split(long).every(part => part.length <= 400)).toBe(true)
  expect(split('x'.repeat(1_000)).map(part => part.length)).toEqual([400, 400, 200])
})

test.each([
  ['Hindi', ['नाश्ता सात बजे से है। ', 'कुत्ते भी आ सकते हैं! ', 'क्या आप आ रहे हैं?']],
  ['Arabic', ['هل تأتون معنا؟ ', 'الفطور من السابعة. ', 'أهلا!']],
  ['Urdu', ['ناشتہ سات بجے ہے۔ ', 'خوش آمدید۔']],
  ['Japanese', ['「はい。」', '朝食は七時からです。', 'どうぞ！']],
  ['Chinese', ['早餐七点开始。', '（请进！）', '谢谢。']],
  ['Korean', ['아침은 7시부터입니다. ', '어서 오세요!']],
  ['Thai', ['อาหารเช้าเริ่มตั้งแต่เจ็ดโมงถึงสิบโมงเช้าทุกวัน ', 'สุนัขเข้าได้ค่ะ']],
])('VG4 so are texts in %s', (_, sentences) => {
  expect(split(sentences.join(''))).toEqual(sentences)
})

test('VG4 what is too long is cut behind a comma of any script', () => {
  const part = `${'早'.repeat(149)}，`
  expect(split(part.repeat(3)).map(one => one.length)).toEqual([300, 150])
})

const text = fc
  .array(
    fc.constantFrom(
      'Yes',
      ' ',
      '.',
      '. ',
      '! ',
      '\n',
      'a',
      'Dr',
      ' 12',
      '"',
      '。',
      '」',
      '। ',
      '، ',
      '、',
      'ก',
      '😀',
      'long words here ',
    ),
    {
      maxLength: 80,
    },
  )
  .map(parts => parts.join(''))

test('VG4 a reply that streams has the same sentences as the whole one', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (whole, cuts) => {
      const wanted = split(whole)
      expect(wanted.join('')).toBe(whole)
      const found: string[] = []
      let offset = 0
      for (const cut of [
        ...cuts.filter(at => at < whole.length).toSorted((one, other) => one - other),
        whole.length,
      ]) {
        const soFar = whole.slice(0, cut)
        for (const { end, start } of sentencesOf(soFar, offset, cut === whole.length)) {
          found.push(whole.slice(start, end))
          offset = end
        }
      }
      expect(found).toEqual(wanted)
    }),
    { numRuns: runs(500, 10_000) },
  )
})

test('VG4 marks of Markdown and addresses of links are not spoken', () => {
  expect(speakable('**Dogs** are [welcome](https://hotel.example/dogs), see `here`.\n- One\n- Two')).toBe(
    'Dogs are welcome, see here. One Two',
  )
  expect(speakable('***\n')).toBe('')
})
