"""Fills an empty Tryton database of any series from 6.0 on with the demo merchant that the adapter's live tests read."""
import datetime
import os
from decimal import Decimal

from proteus import Model, Wizard, config

session = config.set_trytond(
    database=os.environ['TRYTON_DATABASE'], config_file=os.environ['TRYTON_CONFIG'])
model = Model.get
# Tryton dates documents in the company's zone.
today = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=-5))).date()


def save(name, /, **values):
    record = model(name)(**values)
    record.save()
    return record


def find(name, *domain):
    record, = model(name).find(list(domain), limit=1)
    return record


def again(record):
    """The same record, not owned by another one: proteus links a record to one owner only."""
    return model(record.__class__.__name__)(record.id)


# Company, chart of accounts, tax
jmd = save('currency.currency', name='Jamaican Dollar', code='JMD', symbol='J$', numeric_code='388', digits=2,
    rounding=Decimal('0.01'))
jmd.rates.new(date=datetime.date(today.year - 1, 1, 1), rate=Decimal(1))
jmd.save()
wizard = Wizard('company.company.config')
wizard.execute('company')
wizard.form.party = save('party.party', name='Blue Mountain Motor Spares')
wizard.form.currency = jmd
wizard.execute('add')
company = find('company.company')
# Tryton may still return the preferences that it cached before the user had a company.
session._context = {**model('res.user').get_preferences(True, {}), 'company': company.id}
company.timezone = 'America/Jamaica'
company.save()

# From 7.2 on, the chart is another one.
template = find('account.account.template', ('parent', '=', None),
    ('name', 'in', ['Minimal Account Chart', 'Universal Chart of Accounts']))
chart = Wizard('account.create_chart')
chart.execute('account')
chart.form.account_template = template
chart.form.company = company
chart.execute('create_account')
accounts = {kind: find('account.account', ('type.%s' % kind, '=', True), ('closed', '!=', True))
    for kind in ('receivable', 'payable', 'revenue', 'expense')}
chart.form.account_receivable = accounts['receivable']
chart.form.account_payable = accounts['payable']
chart.execute('create_properties')
tax_account = find('account.account', ('name', 'in', ['Main Tax', 'Accrued Taxes (Other Than Payroll)']))
gct = save('account.tax', name='GCT', description='General Consumption Tax 15%', type='percentage',
    rate=Decimal('0.15'), company=company, invoice_account=tax_account, credit_note_account=tax_account)
exempt_rule = save('account.tax.rule', name='Exempt', kind='sale', company=company)
save('account.tax.rule.line', rule=exempt_rule, origin_tax=gct)


def accounting_category(name, *taxes):
    record = model('product.category')(name=name, accounting=True, account_expense=accounts['expense'],
        account_revenue=accounts['revenue'])
    for tax in taxes:
        record.customer_taxes.append(again(tax))
    record.save()
    return record


taxed = accounting_category('Goods with GCT', gct)
untaxed = accounting_category('Goods without GCT')

# Categories and tags: one table, two roots
categories = {}


def category(name, parent=None):
    categories[name] = save('product.category', name=name, parent=parent)
    return categories[name]


root = category('Catalog')
for branch, leaves in {
        'Brakes': ['Brake Pads', 'Brake Discs'],
        'Filters': ['Oil Filters', 'Air Filters'],
        'Fluids': ['Engine Oil', 'Coolant'],
        'Electrical': ['Batteries', 'Bulbs'],
        'Accessories & Care': [],
        }.items():
    parent = category(branch, root)
    for leaf in leaves:
        category(leaf, parent)
# The same name at two places of the tree: slugs must still differ.
twin = save('product.category', name='Bulbs', parent=categories['Accessories & Care'])
tags_root = category('Tags')
for tag in ('Bestseller', 'Clearance', 'Heavy Duty'):
    category(tag, tags_root)

# Attributes, units
brand = save('product.attribute', name='brand', string='Brand', type_='char')
part_number = save('product.attribute', name='mpn', string='Part number', type_='char')
attribute_set = model('product.attribute.set')(name='Part')
attribute_set.attributes.extend([brand, part_number])
attribute_set.save()
unit = find('product.uom', ('name', '=', 'Unit'))
liter = find('product.uom', ('name', '=', 'Liter'))
packaging = save('product.uom.category', name='Packaging')
box = save('product.uom', name='Box', symbol='box', category=packaging, factor=1., rate=1., digits=0, rounding=1.)

# Products: code, name, category, list price, on hand, tags, options
BRANDS = ['Akebono', 'Denso', 'Bosch', 'Exide', 'Castrol']
CARS = ['Corolla', 'Fit', 'CR-V', 'Tiida', 'Swift', 'Demio', 'Hilux', 'Probox']
ROWS = []
for n, car in enumerate(CARS):
    # What the tests order is in stock for many of their runs.
    ROWS.append(('PAD-%03d' % (n + 1), 'Brake Pad Set %s' % car, 'Brake Pads', '%d.00' % (6000 + 350 * n),
            [4800, 3, 0, 0, 12, 0, 1, 30][n], ['Bestseller'] if n < 2 else [], {}))
    ROWS.append(('DSC-%03d' % (n + 1), 'Brake Disc %s' % car, 'Brake Discs', '%d.50' % (11000 + 420 * n),
            [1600, 2, 0, 9, 4, 25, 0, 7][n], ['Heavy Duty'] if car == 'Hilux' else [], {}))
    ROWS.append(('OFL-%03d' % (n + 1), 'Oil Filter %s' % car, 'Oil Filters', '%d.25' % (1100 + 45 * n),
            [340, 210, 96, 4, 0, 55, 18, 72][n], [], {'box': 12}))
    ROWS.append(('AFL-%03d' % (n + 1), 'Air Filter %s' % car, 'Air Filters', '%d.00' % (2100 + 60 * n),
            [60, 35, 0, 25, 11, 5, 8, 0][n], ['Clearance'] if n == 3 else [], {}))
ROWS += [
    ('OIL-001', 'Engine Oil 5W-30 Synthetic', 'Engine Oil', '1850.00', 600, ['Bestseller'], {'unit': liter}),
    ('OIL-002', 'Engine Oil 15W-40 Diesel', 'Engine Oil', '1300.1234', 5, ['Heavy Duty'], {'unit': liter}),
    ('CLT-001', 'Coolant Long Life Red', 'Coolant', '3900.00', 44, [], {}),
    ('BAT-001', 'Battery NS60', 'Batteries', '16500.00', 26, [], {}),
    ('BAT-002', 'Battery N70', 'Batteries', '24900.00', 2, ['Heavy Duty'], {}),
    ('BLB-001', 'Headlight Bulb H4', 'Bulbs', '850.00', 220, ['Bestseller', 'Clearance'], {'box': 10}),
    ('BLB-002', 'Tail Light Bulb', 'Bulbs', '250.00', 0, [], {'box': 10}),
    ('MAP-001', 'Road Map of Jamaica', 'Accessories & Care', '1200.00', 9, [], {'accounts': untaxed}),
    ('50%_X\\Y/#1', 'Wax & Polish "Glänzend"', 'Accessories & Care', '999.00', 14, [], {}),
    ('50AAXBY', 'Chamois Leather', 'Accessories & Care', '640.00', 8, [], {}),
    # Tryton refuses two active products of one code, so at least one of a pair is retired.
    ('DUP-001', 'Doubled: the older record', 'Bulbs', '111.00', 10, [], {'retire': True}),
    ('DUP-001', 'Doubled: the younger record', 'Bulbs', '222.00', 20, [], {'retire': True}),
    ('DUP-002', 'Replaced: the old record', 'Bulbs', '333.00', 0, [], {'retire': True}),
    ('DUP-002', 'Replaced: the record in use', 'Bulbs', '444.00', 30, [], {}),
    (None, 'Without a code', 'Bulbs', '10.00', 5, [], {}),
    ('OLD-001', 'Carburettor Kit', 'Accessories & Care', '4100.00', 0, [], {'retire': True}),
    ('INT-001', 'Workshop Rag (not for sale)', 'Accessories & Care', '1.00', 100, [], {'salable': False}),
    ]
products = {}
stocked = []
for n, (code, name, group, price, on_hand, tags, options) in enumerate(ROWS):
    item = model('product.template')(name=name, code=code, type='goods', default_uom=options.get('unit', unit),
        salable=options.get('salable', True), list_price=Decimal(price),
        account_category=options.get('accounts', taxed), attribute_set=attribute_set)
    for label in [group] + tags:
        item.categories.append(again(categories[label]))
    if 'box' in options:
        item.sale_secondary_uom = box
        item.sale_secondary_uom_rate = float(options['box'])
    variant, = item.products
    variant.cost_price = Decimal(price).quantize(Decimal('0.01')) / 2
    variant.description = 'Fits the %s and its sisters.' % name.split()[-1] if n < 32 else None
    variant.attributes = {'brand': BRANDS[n % 5], 'mpn': 'M-%05d' % (n * 7919 % 99991)} if n != 5 else None
    item.save()
    variant, = item.products
    if code and code.startswith('PAD'):
        save('product.identifier', product=again(variant), type='ean', code='40%010d' % n + '%d' % (
                (10 - sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate('40%010d' % n)) % 10) % 10))
    products.setdefault(code, variant)
    if on_hand:
        stocked.append((variant, on_hand))
    if options.get('retire'):
        variant.active = False
        variant.save()

# Stock and expected receipts
warehouse = find('stock.location', ('type', '=', 'warehouse'))
warehouse.name, warehouse.code = 'Kingston', 'KGN'
warehouse.save()
supplier_zone = find('stock.location', ('type', '=', 'supplier'))
inventory = model('stock.inventory')(location=warehouse.storage_location, date=today - datetime.timedelta(30))
for variant, on_hand in stocked:
    line = inventory.lines.new(product=again(variant))
    line.quantity = float(on_hand)
inventory.click('confirm')
supplier = save('party.party', name='Overseas Parts Export')
for days, lines in [
        (9, [('PAD-003', 40), ('DSC-003', 24)]),
        (21, [('PAD-003', 60), ('OFL-005', 120)]),
        (-4, [('PAD-004', 36)]),
        ]:
    shipment = model('stock.shipment.in')(supplier=supplier, warehouse=warehouse,
        planned_date=today + datetime.timedelta(days))
    shipment.save()
    for code, quantity in lines:
        move = shipment.incoming_moves.new()
        move.from_location, move.to_location = again(supplier_zone), again(warehouse.input_location)
        move.product, move.quantity = again(products[code]), float(quantity)
        move.planned_date, move.company = today + datetime.timedelta(days), again(company)
        move.unit_price, move.currency = Decimal(100), again(jmd)
    shipment.save()

# From 7.6 on, the Web ID of a sale is unique within a web shop only.
save('web.shop', name='Storefront', company=company, currency=jmd)

# Price lists and customers
trade = model('product.price_list')(name='Trade', company=company)
if hasattr(trade, 'price'):
    # Else formulas of newer series have no unit_price.
    trade.price = 'list_price'
for values in [
        {'product': again(products['BAT-001']), 'quantity': 10., 'formula': '14000'},
        {'product': again(products['BAT-001']), 'formula': '15250.5'},
        {'category': again(categories['Oil Filters']), 'quantity': 48., 'formula': 'list_price * Decimal("0.75")'},
        {'category': again(categories['Oil Filters']), 'quantity': 12., 'formula': 'list_price * Decimal("0.80")'},
        {'category': again(categories['Filters']), 'formula': 'list_price * Decimal("0.90")'},
        {'formula': 'unit_price * Decimal("0.95")'},
        ]:
    trade.lines.new(**values)
trade.save()
garage = save('party.party', name='Half Way Tree Garage')
garage.sale_price_list = trade
garage.save()
walk_in = save('party.party', name='Walk-in Customer')
embassy = save('party.party', name='Exempt Mission')
embassy.customer_tax_rule = exempt_rule
embassy.save()
