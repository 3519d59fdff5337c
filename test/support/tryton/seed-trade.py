"""Has the demo merchant trade: fiscal years, payment terms, customers with addresses and credit, past orders and invoices."""
import datetime
import os
from decimal import Decimal

from proteus import Model, Wizard, config
from trytond.exceptions import UserWarning
from trytond.pool import Pool
from trytond.transaction import Transaction

session = config.set_trytond(
    database=os.environ['TRYTON_DATABASE'], config_file=os.environ['TRYTON_CONFIG'])
model = Model.get
today = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=-5))).date()


def save(name, /, **values):
    record = model(name)(**values)
    record.save()
    return record


def find(name, *domain):
    return model(name).find(list(domain), limit=1)[0]


session._context = model('res.user').get_preferences(True, {})
company = find('company.company')

# Fiscal years, one journal for money that comes in, terms
kind = {name: find('ir.sequence.type', ('name', '=', name)) for name in ('Account Move', 'Invoice')}
for year in (today.year - 1, today.year, today.year + 1):
    fiscal = model('account.fiscalyear')(name=str(year), company=company,
        start_date=datetime.date(year, 1, 1), end_date=datetime.date(year, 12, 31))
    # Renamed in 7.4, and strict since.
    sequence, field = (('ir.sequence.strict', 'move_sequence') if hasattr(fiscal, 'move_sequence')
        else ('ir.sequence', 'post_move_sequence'))
    setattr(fiscal, field, save(sequence, name='Moves %d' % year, sequence_type=kind['Account Move'], company=company))
    numbers = save('ir.sequence.strict', name='Invoices %d' % year, sequence_type=kind['Invoice'], company=company,
        prefix='INV-%d-' % year, padding=5)
    row, = fiscal.invoice_sequences
    row.out_invoice_sequence = row.in_invoice_sequence = numbers
    row.out_credit_note_sequence = row.in_credit_note_sequence = numbers
    fiscal.save()
    fiscal.click('create_period')
cash = find('account.account', ('name', 'in', ['Main Cash', 'Cash and Cash Equivalents']))
transfer = save('account.invoice.payment.method', name='Bank transfer', credit_account=cash,
    debit_account=model('account.account')(cash.id), journal=find('account.journal', ('type', '=', 'cash')))
terms = {}
for name, days in (('30 days', 30), ('Cash on delivery', 0)):
    term = model('account.invoice.payment_term')(name=name)
    line = term.lines.new(type='remainder')
    if days:
        line.relativedeltas.new(days=days)
    term.save()
    terms[name] = term
# Forecourt rounds each line; Tryton would else round the tax of the whole document.
books = model('account.configuration')(1)
books.tax_rounding = 'line'
books.save()

# Customers
jamaica = save('country.country', name='Jamaica', code='JM', code3='JAM')
parishes = {name: save('country.subdivision', name=name, code=code, country=jamaica, type='parish')
    for name, code in (('Kingston', 'JM-01'), ('St. James', 'JM-08'))}


def customer(name, email, limit, street, city, parish, term):
    parties = model('party.party').find([('name', '=', name)])
    party = parties[0] if parties else model('party.party')(name=name)
    address = party.addresses[0] if party.addresses else party.addresses.new()
    address.street, address.city, address.country, address.subdivision = street, city, jamaica, parishes[parish]
    address.invoice = address.delivery = True
    if email:
        party.contact_mechanisms.new(type='email', value=email)
        party.contact_mechanisms.new(type='phone', value='+1 876 555 0100')
    party.customer_payment_term = terms[term]
    party.credit_limit_amount = limit and Decimal(limit)
    party.save()
    return model('party.party')(party.id)


garage = customer('Half Way Tree Garage', 'Orders@hwtgarage.example', '2000000', '3 Eastwood Park Road', 'Kingston',
    'Kingston', '30 days')
walk_in = customer('Walk-in Customer', 'walkin@mail.example', None, '8 Caledonia Road', 'Kingston', 'Kingston',
    'Cash on delivery')
hotel = customer('Bay Hotel Fleet', 'fleet@bayhotel.example', '60000', '22 Barnett Street', 'Montego Bay', 'St. James',
    '30 days')


# Renamed between 7.0 and 7.8.
done = 'do' if hasattr(Pool(os.environ['TRYTON_DATABASE']).get('stock.shipment.out'), 'do') else 'done'


def sale(party, key, code, quantity, days, ship=True, post=True):
    order = model('sale.sale')(party=party, sale_date=today + datetime.timedelta(days))
    if key:
        order.web_shop, order.web_id = find('web.shop'), key
    order.description = 'ECOMMERCE'
    # Newer series reject a quotation with a cost method, which is the default, and without a carrier.
    order.shipment_cost_method = None
    line = order.lines.new()
    line.product, line.quantity = find('product.product', ('code', '=', code)), float(quantity)
    for step in ('quote', 'confirm'):
        order.click(step)
    order.reload()
    if ship:
        for parcel in order.shipments:
            for step in ('assign_force', 'pick', 'pack', done):
                parcel.click(step)
    if not post:
        return None
    bill, = order.invoices
    bill.invoice_date = today + datetime.timedelta(days)
    try:
        bill.click('post')
    except UserWarning as warning:
        # It would be due in the past: that is meant.
        save('res.user.warning', user=model('res.user')(session.user), name=warning.name)
        bill.click('post')
    return bill


paid = sale(garage, 'ord_demo0paid', 'OFL-001', 12, -80)
wizard = Wizard('account.invoice.pay', [paid])
wizard.form.payment_method = transfer
wizard.form.date = today - datetime.timedelta(50)
wizard.execute('choice')
# Tryton's own report is an ODT file. From 8.2 on, no client may write the stored one.
with Transaction().start(os.environ['TRYTON_DATABASE'], 0):
    Invoice = Pool().get('account.invoice')
    Invoice.write([Invoice(paid.id)], {'invoice_report_cache': b'%PDF-1.4\n%%EOF\n', 'invoice_report_format': 'pdf'})
overdue = sale(garage, 'ord_demo0late', 'PAD-001', 4, -45)
wizard = Wizard('account.invoice.pay', [sale(hotel, 'ord_demo0part', 'BLB-001', 6, -40)])
wizard.form.amount = Decimal('1000.00')
wizard.form.payment_method = transfer
wizard.form.date = today - datetime.timedelta(20)
wizard.execute('choice')
wizard.form.type = 'partial'
wizard.execute('pay')
sale(hotel, None, 'BLB-001', 1, -1, ship=False, post=False)
note = model('account.invoice')(party=hotel, type='out', invoice_date=today - datetime.timedelta(10))
line = note.lines.new()
line.product, line.quantity = find('product.product', ('code', '=', 'BLB-001')), -1.
line.unit_price = Decimal('850.00')
note.click('post')
