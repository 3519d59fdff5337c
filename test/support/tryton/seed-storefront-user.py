"""Makes the storefront's account: the rights that the adapter needs, and no other."""
import os

from proteus import Model, config

session = config.set_trytond(
    database=os.environ['TRYTON_DATABASE'], config_file=os.environ['TRYTON_CONFIG'])
model = Model.get
session._context = model('res.user').get_preferences(True, {})
company, = model('company.company').find([], limit=1)
group = model('res.group')(name='Storefront')
group.save()

READ = [
    'stock.move', 'stock.location', 'stock.shipment.out', 'product.price_list', 'product.price_list.line', 'account.tax',
    'account.tax.rule', 'account.tax.rule.line', 'account.account', 'account.account.type', 'account.move', 'account.move.line', 'account.journal',
    'account.invoice', 'account.invoice.line', 'account.invoice.tax', 'account.invoice.payment_term',
    'account.invoice.payment_term.line', 'account.invoice.payment_term.line.delta', 'account.configuration',
    'sale.configuration', 'sale.promotion', 'party.party.credit_limit_amount', 'web.shop', 'carrier', 'carrier.selection',
    ]
# Customers who register, their addresses, and orders.
WRITE = ['party.party', 'party.address', 'party.contact_mechanism', 'sale.sale', 'sale.line', 'ir.attachment',
    'res.user.warning']
# To confirm an order, and to take one back that was not sent and not invoiced.
BUTTONS = {
    'sale.sale': ['quote', 'confirm', 'process', 'cancel', 'draft', 'handle_shipment_exception', 'handle_invoice_exception'],
    'stock.shipment.out': ['cancel'],
    'account.invoice': ['cancel'],
    }
# Those who press them in Tryton.
STAFF = {'sale.sale': ['Sales'], 'stock.shipment.out': ['Stock'], 'account.invoice': ['Accounting', 'Account']}
access = model('ir.model.access')
for name in READ + WRITE:
    # Once a reference, now a name.
    record = model('ir.model').find([('model', '=', name)])[0] if access._fields['model']['type'] == 'many2one' else name
    access(model=record, group=model('res.group')(group.id), perm_read=True, perm_write=name in WRITE,
        perm_create=name in WRITE, perm_delete=False).save()
path = 'model.model' if model('ir.model.button')._fields['model']['type'] == 'many2one' else 'model'
for name, buttons in BUTTONS.items():
    for button in model('ir.model.button').find([(path, '=', name), ('name', 'in', buttons)]):
        if not button.groups:
            # It is open to whoever may write its model. The first group closes it to everybody else.
            staff, = model('res.group').find([('name', 'in', STAFF[name])])
            button.groups.append(staff)
        button.groups.append(model('res.group')(group.id))
        button.save()

user = model('res.user')(name='Storefront', login=os.environ['TRYTON_USER'], password=os.environ['TRYTON_PASSWORD'])
user.groups.append(model('res.group')(group.id))
user.save()
user.company = model('company.company')(company.id)
user.save()
