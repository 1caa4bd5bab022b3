import type { Phrases } from './phrases.ts'
import { EN } from './related/en.ts'
import { groupsOf } from './related/groups-of.ts'

const list = (text: string): readonly string[] => text.split(', ')
const wordsOf = (text: string): readonly string[] => text.split(/\s+/)

const annoyed = [
  'you are',
  'you',
  'this is',
  'it is',
  'this bot is',
  'your bot is',
  'the bot is',
  'this chat is',
]
const insults = list(
  'useless, stupid, rubbish, garbage, trash, crap, terrible, awful, horrible, pathetic, dumb, bad, a joke',
)

/** The phrases of languages that the host set none for. */
export const ENGLISH_PHRASES: Phrases = {
  greeting: 'Hello! How can I help you?',
  unknown: "Sorry, I don't know the answer to that. Could you ask it in other words?",
  offer: "Sorry, I don't know that either. Shall I connect you with a person?",
  clarify: 'Do you mean “{first}” or “{second}”?',
  confirm: 'I am not quite sure what you mean. Is it about “{first}”?',
  declined: 'All right. Is there anything else you would like to know?',
  misunderstood: 'Sorry, I misunderstood you. Could you ask it in other words?',
  silence: "Sorry, I didn't get that. What would you like to know?",
  handoff: 'One moment, I am connecting you.',
  closed: 'There is no one here right now.',
  back: 'We are back on {time}.',
  leaveMessage: 'You can leave a message here: my colleagues will read it.',
  messageTaken: 'Thank you. My colleagues will read that.',
  cutShort: 'Sorry, my answer was cut short here.',
  failed: 'Sorry, that did not work. Please try again in a moment.',
  eventReceived: 'Thank you for waiting. Your update has arrived.',
  smallTalk: [
    {
      says: 'Hello! What would you like to know?',
      to: list(
        'hello, hi, hey, hiya, hello there, hi there, good morning, good afternoon, good evening, good day, morning, evening, greetings, howdy, anybody there, is anybody there, is anyone there',
      ),
    },
    {
      says: 'I am well, thank you. What can I do for you?',
      to: list(
        "how are you, how are you doing, how are you today, how's it going, how is it going, how do you do, what's up, are you ok",
      ),
    },
    {
      says: 'I am an automatic assistant and answer questions. What would you like to know?',
      to: list(
        'are you a robot, are you a bot, are you a machine, are you a computer, are you human, are you a human, are you a person, are you a real person, are you real, who are you, what are you, what is your name, am i talking to a robot, am i talking to a bot, am i talking to a person, am i talking to a human, is this a bot, is this a robot, what can you do, can you help me, help, help me, i need help, i have a question, can i ask you something, can i ask a question',
      ),
    },
    {
      says: 'Good. Is there anything else you would like to know?',
      to: list(
        'ok, okay, great, good, fine, perfect, nice, cool, super, wonderful, excellent, awesome, all right, alright, got it, i see, understood, sounds good, that helps, that helped, that works, good to know, sure, yes, yeah, yep, lol, haha',
      ),
    },
    {
      says: 'I am sorry that this annoys you. Tell me in a few words what you need, and I will see what I can do.',
      to: [
        ...list(
          'you are useless, this is useless, useless, you are stupid, stupid bot, this is ridiculous, ridiculous, you are no help, this is no help, that does not help, this is annoying, i am angry, this is unacceptable, unacceptable, wtf, what the hell, this is a joke, this bot is useless, this bot is stupid, this bot is terrible',
        ),
        ...annoyed.flatMap(who => insults.map(what => `${who} ${what}`)),
      ],
    },
    {
      says: 'You are welcome! Is there anything else you would like to know?',
      to: list(
        'thanks, thank you, thx, ty, cheers, many thanks, thanks a lot, thank you very much, thank you so much, thanks so much, much appreciated, i appreciate it, very helpful, that is very kind',
      ),
    },
    {
      says: 'All right. I am here if you need anything else.',
      to: list(
        "no, nope, no thanks, no thank you, that's all, that is all, that was all, nothing else, nothing, never mind, nevermind, not now, nothing more, i am good, i'm good, all good, that is everything, that's everything",
      ),
    },
    {
      says: 'Goodbye!',
      to: list(
        'bye, goodbye, good bye, bye bye, see you, see you soon, see you later, see you tomorrow, good night, have a nice day, have a good day, take care, cu, ciao',
      ),
    },
  ],
  fillers: list(
    'please, there, you, so, very, much, again, for now, now, then, well, oh, ah, um, and, but, everyone, all, sir, madam, my friend, for your help, for that, a lot, indeed, just, really, quick question, also, to you, too',
  ),
  yes: list(
    'yes, yeah, yep, yup, sure, ok, okay, please, of course, right, correct, exactly, definitely, absolutely, please do, do it, go ahead, yes i do, that is right, that one, i do, y, why not',
  ),
  no: list(
    'no, nope, nah, neither, none, none of them, neither of them, not that, no thanks, no thank you, do not, n, not really, neither one, none of these',
  ),
  corrections: list(
    "that is wrong, that's wrong, wrong, that is not what i asked, that's not what i asked, that is not what i meant, that's not what i meant, not what i asked, not what i meant, i did not ask that, you misunderstood, you misunderstood me, that does not answer my question, you did not answer my question, you don't understand, you do not understand, that is not my question, not that",
  ),
  choices: [
    list('first, the first, first one, the first one, 1, one, former, the former, number one, option 1'),
    list(
      'second, the second, second one, the second one, 2, two, latter, the latter, number two, option 2, the other one, the other, last one, the last one',
    ),
  ],
  people: wordsOf(
    'human humans person people agent agents representative representatives rep operator staff colleague colleagues manager supervisor employee adviser advisor attendant receptionist somebody someone anybody anyone boss duty real live actual customer service support team',
  ),
  followUps: list('and, what about, how about, also, or, but, what if, same for, then'),
  references: wordsOf('it its that this these those they them their there one ones'),
  commonWords: wordsOf(
    `
    a an the and or but if so as of to in on at by for from with without into onto about until till after before than then
    i me my mine we us our you your yours he she they them their it its this that these those there here one ones some any
    is are was were be been being am do does did done have has had having can could will would shall should may might must
    not no yes what which who whom whose when where why how much many more most long far often late early
    want wants wanted need needs needed like know tell say said speak talk talking ask asking get gets give let make take go come connect call put
    please thanks thank hello hi ok okay put through rather deal just also only even still already again really very too now right away actually
    im id ive ill youre dont doesnt didnt cant wont isnt arent whats wheres hows theres lets thats wont couldnt
    somewhere anywhere everywhere nowhere something anything everything thing things way kind sort bit lot
    year years old today tonight tomorrow yesterday day days week weeks weekend weekends weekday weekdays morning afternoon evening night nights
    monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays
  `.trim(),
  ),
  aspects: [
    {
      asked: wordsOf(
        'expensive cheap cost costs price prices priced fee fees charge charged much pay rate rates',
      ),
      told: wordsOf(
        'euro euros dollar dollars pound pounds cent cents free price costs cost charge charged fee paid',
      ),
    },
    {
      asked: wordsOf('free included include'),
      told: wordsOf('free included includes euro euros dollars pounds charge'),
    },
    {
      asked: wordsOf(
        'when open opens opening close closes closing closed hours hour time times start starts begin begins end ends finish until earliest latest first last',
      ),
      told: wordsOf('am pm noon midnight open opens closed closes daily hour hours clock'),
    },
    {
      asked: wordsOf('long take takes far duration'),
      told: wordsOf('minutes minute hours hour days kilometres miles foot'),
    },
    {
      asked: wordsOf('where find located location'),
      told: wordsOf('floor street beside behind below next opposite room lobby'),
    },
    {
      asked: wordsOf('book booked booking reserve reserved reservation'),
      told: wordsOf('book booked booking bookings reserve reserved'),
    },
    {
      asked: wordsOf('weekend weekends'),
      told: wordsOf('saturday saturdays sunday sundays weekend weekends'),
    },
    { asked: wordsOf('kids kid child children'), told: wordsOf('child children kids') },
    { asked: wordsOf('possible allowed'), told: wordsOf('allowed welcome') },
  ],
  related: groupsOf(EN),
  conjunctions: list('and, and also, also, plus, as well as, whether'),
}
