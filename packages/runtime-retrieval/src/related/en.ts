/** Words that ask for the same thing, or for one of its kind. */
export const EN = `
wifi wlan internet online web network hotspot connection
password passcode passphrase login credentials signin
pin code passcode puk
phone mobile cellphone smartphone handset cell telephone
call ring dial phone hotline
email mail inbox
app application download install
account profile membership registration
card creditcard debit
lost wallet purse misplaced missing lose mislaid vanished disappeared
stolen wallet purse theft nicked robbed thief pinched stole robbery
block freeze lock deactivate disable suspend blocked frozen
money cash banknotes funds amount cent
atm cashpoint cashmachine withdraw withdrawal
transfer wire remittance payment
pay payment paid paying settle invoice bill checkout
invoice bill receipt statement
price cost rate fee charge expensive cheap costs prices rates fees charges
discount voucher coupon promo code deal sale offer rebate reduction promotion
gift present voucher wrapping wrapped wrap
refund reimburse reimbursement repay moneyback
return returns exchange swap unwanted
exchange swap replace replacement
broken defective damaged faulty cracked torn scratched defect damage warranty
warranty guarantee repair repaired fix
delivery shipping shipment courier parcel package dispatch deliver delivered post mailman arrive shipped
track tracking whereabouts
order purchase buy bought ordered purchased
cancel cancellation annul revoke cancelled canceled
change modify amend alter edit update switch move reschedule postpone
address move relocate moved moving
book booking reserve reservation booked reserved
room suite bedroom bed accommodation
bed cot crib mattress pillow blanket duvet
baby infant cot crib toddler newborn highchair stroller
child children kid kids daughter son toddler family teenager
dog dogs puppy cat cats pet pets animal animals kitten
car vehicle van automobile motorbike parking garage drive driving
park parking garage carpark
charger charging electric plug socket ev tesla
bike bicycle bicycles bikes cycling cycle
train railway station bus taxi cab airport shuttle transfer pickup subway metro tram
flight plane airport fly land landing
breakfast brunch buffet meal croissant coffee eggs
dinner restaurant supper lunch meal meals dining eat food menu kitchen hungry
vegan vegetarian gluten allergy allergies allergic lactose halal kosher diet dietary nuts
drink drinks bar beer wine cocktail beverage minibar
pool swim swimming swimmingpool
spa sauna wellness massage steam
gym fitness workout exercise treadmill weights training
towel towels linen sheets laundry
laundry washing ironing iron clothes dry cleaning washed
luggage baggage suitcase suitcases bags bag backpack
key keycard card door
checkin arrival arrive arriving arrivals early
checkout departure leave leaving depart late
accessible wheelchair disabled barrier lift elevator stairs step ramp
lift elevator stairs
smoke smoking cigarette cigarettes cigar vape nonsmoking ashtray
quiet noise noisy loud silence
aircon airconditioning conditioning cooling heating warm temperature
deposit prepayment security advance
tax taxes vat levy
passport identity identification id document documents licence
open opening hours closed close opens closes closing
loan credit borrow lend borrowing financing instalment
mortgage loan property
interest apr percent yield rate
savings save saving deposit
overdraft overdrawn negative minus
limit maximum ceiling cap allowance
statement transactions transaction history
currency foreign exchange dollars euros abroad
abroad foreign overseas travel trip vacation travelling country
fraud scam phishing suspicious fake hacked hacker unauthorised unknown
insurance insured cover coverage policy claim
size sizes fit fits tight measurements medium wide narrow jacket trousers dress shirt
clothes clothing jacket shirt trousers dress sweater coat jeans garment
shoes boots sneakers trainers sandals footwear
colour color shade
stock available availability sold inventory
shop store branch outlet location
job jobs vacancy vacancies career careers hiring work apply
contact reach phone email
complaint complain complaints unhappy dissatisfied feedback
review rating feedback opinion
newsletter unsubscribe subscription emails mailing
subscription subscribe plan tariff package
contract agreement terms subscription
data privacy gdpr personal
remove erase close
surname married marriage
wedding marry marriage celebration party event birthday anniversary
conference meeting seminar event
doctor pharmacy medicine ill sick hospital emergency ambulance
safe valuables jewellery
beach sea lake coast
view balcony terrace
child discount kids
student students pupil youth
senior seniors pensioner retired
group groups party
points loyalty bonus rewards miles
print printer printing copy
tv television channels
`
