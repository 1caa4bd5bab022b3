/** Words that ask for the same thing, or for one of its kind. */
export const DE = `
wlan wifi internet internetzugang netz verbindung online surfen hotspot funknetz drahtlos netzwerk router
passwort kennwort zugangsdaten login anmelden anmeldung einloggen
pin geheimzahl code puk geheimnummer entsperren pincode zahlencode
handy telefon smartphone mobiltelefon handynummer telefonnummer rufnummer
anrufen anruf telefonieren hotline telefonisch
mail email nachricht schreiben
app anwendung herunterladen installieren
konto account girokonto kontoeröffnung benutzerkonto profil kunde kundin neukunde kundenkonto
karte kreditkarte bankkarte girokarte debitkarte
verloren geldbeutel geldbörse brieftasche portemonnaie verlieren verlust weg verschwunden abhanden vermisst verlegt liegengelassen
gestohlen verloren geldbeutel geldbörse brieftasche portemonnaie diebstahl geklaut klauen entwendet dieb geraubt bestohlen beklaut taschendieb
sperren sperrung sperre gesperrt blockieren blockiert
geld bargeld scheine münzen betrag
geldautomat automat abheben abhebung bargeld auszahlung
überweisung überweisen überweise senden schicken dauerauftrag lastschrift überweist geldtransfer swift
zahlung ratenzahlung kartenzahlung zahlen bezahlen bezahlung zahlungsarten zahlungsmethoden zahlungsmittel rechnung abzahlen abbezahlen paypal visa mastercard vorkasse nachnahme klarna
rechnung quittung beleg kassenbon kassenzettel
preis preise kosten kostet gebühr gebühren tarif teuer billig günstig abbuchen abbuchung abgebucht monatlich entgelt
rabatt geschenkgutschein einlösen rabattcode gutschein gutscheincode code aktion angebot ermäßigung nachlass coupon vergünstigung aktionscode promocode prozente
geschenk geschenke verschenken geschenkverpackung einpacken gutschein
erstattung rückerstattung erstatten zurückbekommen geld rückzahlung
rückgabe rücksendeetikett rücksendung retoure zurückgeben zurückschicken zurücksenden umtausch umtauschen rücknahme zurücknehmen widerruf behalten zurückbringen rückversand
umtausch umtauschen tauschen ersatz austausch
kaputt defekt beschädigt schaden mangel zerbrochen gerissen garantie gewährleistung funktioniert streikt
garantie gewährleistung reparatur reparieren garantiefall repariert ersetzen
lieferung versand liefern zustellung geliefert paket verschicken lieferzeit sendung bote post schicken ausliefern auslieferung paketdienst zusteller verschickt
sendungsverfolgung verfolgen sendungsnummer paket
bestellung bestellen bestellt kauf kaufen gekauft auftrag
stornierung stornogebühren stornogebühr stornokosten stornieren absagen absage storno kündigen kündigung rücktritt rückgängig widerrufen annullieren stornofrist verhindert ausfallen
änderung ändern verschieben umbuchen umbuchung wechseln anpassen
adresse anschrift umzug umgezogen umziehen wohnort
buchung buchen gebucht reservierung reservieren
zimmer suite schlafzimmer bett unterkunft
bett kinderbett babybett matratze kissen decke zustellbett
baby säugling kleinkind kinderbett babybett hochstuhl kinderwagen wickeltisch
kind kinder tochter sohn kleinkind familie familien enkel jugendliche
hund hunde katze katzen haustier haustiere tier tiere welpe vierbeiner kater kätzchen hündin welpen vogel kaninchen hamster
auto wagen fahrzeug pkw motorrad parken parkplatz parkplätze garage tiefgarage stellplatz abstellen parkhaus wohnmobil
ladestation laden aufladen elektroauto steckdose strom ladesäule
fahrrad fahrräder rad räder radfahren radverleih fahrradverleih
bahn bahnhof bus taxi flughafen transfer abholung shuttle anreise
flug flugzeug flughafen
frühstück frühstücken brunch buffet brötchen kaffee morgens frühstücksbuffet müsli rührei
abendessen restaurant mittagessen essen speisen speisekarte hunger küche
vegan vegetarisch gluten glutenfrei allergie allergien allergisch laktose halal koscher unverträglichkeit
getränk getränke bar bier wein minibar
schwimmbad pool schwimmen hallenbad becken baden
sauna spa wellness massage dampfbad
fitnessraum fitness fitnessstudio trainieren training sport hanteln laufband
handtuch handtücher bettwäsche wäsche
wäsche waschen wäscherei bügeln reinigung kleidung
gepäck koffer tasche taschen rucksack gepäckaufbewahrung deponieren aufbewahren verwahren reisetasche unterstellen einlagern gepäckraum
schlüssel zimmerschlüssel zimmerkarte tür
anreise ankunft ankommen einchecken checkin früher anreisen eintreffen beziehen frühanreise spätanreise rezeption empfang
abreise auschecken checkout verlassen abfahrt räumen
barrierefrei barrierefreiheit rollstuhl behindert aufzug stufen rampe treppe gehbehindert
aufzug fahrstuhl lift treppe
rauchen raucher zigarette zigaretten nichtraucher raucht
laut lärm ruhig ruhe ruhezeiten
klimaanlage heizung temperatur klima
anzahlung kaution vorauszahlung
steuer steuern mehrwertsteuer kurtaxe
ausweis personalausweis reisepass pass identität dokumente unterlagen
öffnungszeiten geöffnet offen schließen geschlossen öffnet schließt feiertag feiertage feiertags
kredit darlehen leihen finanzierung raten ratenzahlung finanzieren ausleihen borgen ratenkredit tilgen tilgung
hypothek baufinanzierung eigenheim immobilie
zinsen zins zinssatz prozent rendite
sparen sparkonto ersparnisse tagesgeld anlegen
dispo dispokredit überziehen überziehung minus überzogen
limit höchstbetrag obergrenze verfügungsrahmen kreditrahmen maximal ausgeben hochsetzen erhöhen
kontoauszug kontoauszüge umsätze auszug buchungen
währung fremdwährung wechselkurs dollar umtauschen
ausland reise auslandsreise verreisen
betrug betrüger phishing verdächtig gefälscht gehackt unbefugt
versicherung versichert versichern police
größe größen passt passen eng größentabelle maße jacke hose kleid hemd schuhgröße konfektionsgröße geschnitten weit locker anprobieren
kleidung jacke hose hemd kleid pullover mantel jeans
schuhe stiefel turnschuhe sandalen
farbe farben
verfügbar verfügbarkeit lager vorrätig bestand ausverkauft
filiale filialen geschäft laden läden standort niederlassung
stelle stellen job jobs karriere bewerben bewerbung arbeiten
kontakt erreichen telefon
beschwerde beschweren reklamation reklamieren unzufrieden
bewertung bewerten meinung
newsletter abmelden abbestellen abonnieren
abo abonnement vertrag mitgliedschaft
datenschutz daten löschen dsgvo
nachname heirat geheiratet hochzeit
hochzeit heiraten feier feiern party geburtstag veranstaltung
tagung konferenz besprechung seminar tagungsraum konferenzraum meeting
arzt apotheke krank krankenhaus notfall medikamente
tresor safe wertsachen schmuck
aussicht balkon meerblick terrasse
student studenten schüler azubi
gruppe gruppen gruppenreise
punkte treuepunkte bonus prämie treueprogramm
fernseher fernsehen tv sender
`
