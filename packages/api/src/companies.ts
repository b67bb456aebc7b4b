import * as z from 'zod/mini';
import { authority, langKey } from './authority.ts';
import { defineCall } from './call.ts';
import { defineEntity, type EntityItem } from './entity.ts';

const access = ['ROLE_USER', 'ROLE_ADMIN'] as const;

/** What is optional is left as it is where it is left out, and taken away where it is null. */
const said = {
  /** Twelve digits or letters and two check digits; a mask is taken off. */
  cnpj: z.optional(z.nullable(z.string())),
  /** `#rrggbb`: the head of mails. */
  brandColor: z.optional(z.nullable(z.string())),
  /** `#rrggbb`: the buttons of mails. */
  accentColor: z.optional(z.nullable(z.string())),
  /** Megabytes of one file; null: the installation's bound. */
  maxDocSize: z.optional(z.nullable(z.int())),
  /** Days that a finished process keeps its files; null: for ever. */
  maxTime: z.optional(z.nullable(z.int())),
};
const id = z.string();
const byCompany = z.object({ id });

const entity = defineEntity({
  path: 'companies',
  id: 'uuid',
  access,
  written: { name: z.string(), ...said },
  read: {
    /** What `getCompanyLogo` answers it by; null: none. */
    logo: z.nullable(z.string()),
    createdDate: z.string(),
  },
  sorts: ['name', 'cnpj', 'createdDate', 'id'],
});

/**
 * The companies (section 3): who administers the installation sees and changes all, who administers a company its own. Whoever
 * creates one and belongs to none becomes its administrator. Only the installation's administrators delete one.
 */
export const companies = { ...entity, remove: defineCall({ ...entity.remove, access: ['ROLE_ADMIN'] as const }) };
export type Company = EntityItem<typeof companies>;

/** JSON merge patch (RFC 7396), as `application/merge-patch+json` or plain JSON. */
export const patchCompany = defineCall({
  method: 'PATCH',
  path: 'api/companies/:id',
  access,
  params: byCompany,
  body: z.object({ name: z.optional(z.string()), ...said, version: z.optional(z.nullable(z.int())) }),
  reply: companies.item,
});

/** PNG or JPEG in Base64; null takes the logo away. */
export const setCompanyLogo = defineCall({
  method: 'PUT',
  path: 'api/companies/:id/logo',
  access,
  limits: ['company-logo'],
  params: byCompany,
  body: z.object({ image: z.nullable(z.string()) }),
  maxBody: 256 * 1024,
  reply: z.object({ logo: z.nullable(z.string()) }),
});

/** Mails show it, so that anyone may have it who knows its SHA-256. */
export const getCompanyLogo = defineCall({
  method: 'GET',
  path: 'api/company-logo/:hash',
  access: 'public',
  params: z.object({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  kind: 'file',
});

/** Somebody of a company, as section 3 has it: ROLE_ADMIN administers the company, which says nothing of the installation. */
export const companyMember = z.object({
  id,
  name: z.string(),
  email: z.string(),
  authority,
  joinedDate: z.string(),
  isCurrentUser: z.boolean(),
});
export type CompanyMember = z.infer<typeof companyMember>;

/** Sent, and neither accepted nor withdrawn. */
export const companyInvitation = z.object({
  id,
  email: z.string(),
  createdDate: z.string(),
  expiresDate: z.string(),
  /** Its 14 days are over. */
  expired: z.boolean(),
});
export type CompanyInvitation = z.infer<typeof companyInvitation>;

/** A company with its people. Only who administers it is shown them; to a member `members` holds the member. */
export const companyOverview = z.object({
  ...companies.item.shape,
  /** What the caller is in it; null: the installation's administrator, from outside. */
  authority: z.nullable(authority),
  members: z.array(companyMember),
  invitations: z.array(companyInvitation),
});
export type CompanyOverview = z.infer<typeof companyOverview>;

/** The caller's own company. 404 `company.none`: they belong to none. */
export const findCompanyCurrentUser = defineCall({
  method: 'GET',
  path: 'api/findCompanyCurrentUser',
  access,
  company: 'member',
  reply: companyOverview,
});

/** The same of any company that the caller may see. */
export const getCompanyOverview = defineCall({
  method: 'GET',
  path: 'api/company-overview/:id',
  access,
  params: byCompany,
  reply: companyOverview,
});

/** What a member has sent to be signed since they joined, newest first; of oneself, everything. */
export const signatureProcessListById = defineCall({
  method: 'GET',
  path: 'api/signatureProcessListById/:id',
  access,
  params: byCompany,
  query: z.object({
    page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))),
    size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
  }),
  kind: 'list',
  reply: z.object({
    items: z.array(
      z.object({
        id,
        title: z.string(),
        /** Names of the files. */
        documents: z.array(z.string()),
        createdDate: z.string(),
        dueDate: z.nullable(z.string()),
        /** Ours: some of its signers have a deadline of their own. */
        hasOwnDeadlines: z.boolean(),
        status: z.string(),
        signers: z.array(z.object({ order: z.int(), name: z.string(), email: z.string(), status: z.string() })),
      }),
    ),
    total: z.number(),
  }),
});

const invited = z.object({ invitations: z.array(companyInvitation) });

/** The addresses between commas, into the caller's own company. All are invited, or none. */
export const inviteCompanyByGet = defineCall({
  method: 'GET',
  path: 'api/InviteCompany/:emails',
  access,
  company: 'admin',
  limits: ['company-invitations'],
  params: z.object({ emails: z.string() }),
  reply: invited,
});

/** Invites addresses of a company: each is written to, and may join once within 14 days. */
export const inviteCompany = defineCall({
  method: 'POST',
  path: 'api/InviteCompany',
  access,
  limits: ['company-invitations'],
  body: z.object({
    emails: z.array(z.string()),
    /** Left out: the caller's own. */
    companyId: z.optional(id),
  }),
  reply: invited,
});

/** A new key and 14 more days; the link that was mailed before is dead. */
export const resendCompanyInvitation = defineCall({
  method: 'POST',
  path: 'api/company-invitations/:id/resend',
  access,
  limits: ['company-invitations'],
  params: byCompany,
  reply: companyInvitation,
});

/** Withdraws an invitation: its link is dead. */
export const revokeCompanyInvitation = defineCall({
  method: 'DELETE',
  path: 'api/company-invitations/:id',
  access,
  params: byCompany,
  kind: 'empty',
});

/** The invitation, and the key that was mailed with it. */
const mailed = z.object({ id, user: z.string() });

/** What an invitation's page shows before anybody accepts it. 404 `invitation.accountMissing`: the invited address has no account. */
export const getCompanyInvitation = defineCall({
  method: 'GET',
  path: 'api/company-invitations/:id/:user',
  access: 'public',
  limits: ['company-invitation'],
  params: mailed,
  reply: z.object({ companyName: z.string(), email: z.string(), inviter: z.string(), langKey }),
});

const accepting = { access, limits: ['company-invitation'], params: mailed, reply: z.object({ id, name: z.string() }) } as const;
/** The invited account joins the company, by the key that was mailed. */
export const acceptInviteCompany = defineCall({ ...accepting, method: 'POST', path: 'api/acceptInviteCompany/:id/:user' });
/** The specification's call; never from a link alone: it takes the Bearer token too. */
export const acceptInviteCompanyByGet = defineCall({ ...accepting, method: 'GET', path: 'api/acceptInviteCompany/:id/:user' });

const member = { access, params: z.object({ companyId: id, userId: id }), reply: companyOverview } as const;
/** Somebody of the company administers it from now on. */
export const makeAdministrator = defineCall({ ...member, method: 'POST', path: 'api/makeAdministrator/:companyId/:userId' });
/** The specification's call for it. */
export const makeAdministratorByGet = defineCall({ ...member, method: 'GET', path: 'api/makeAdministrator/:companyId/:userId' });
/** Somebody administers the company no more; never oneself. */
export const makeUser = defineCall({ ...member, method: 'POST', path: 'api/makeUser/:companyId/:userId' });
/** The specification's call for it. */
export const makeUserByGet = defineCall({ ...member, method: 'GET', path: 'api/makeUser/:companyId/:userId' });
/** 200 and who is left; 205 and nothing where the caller has removed themself, or nobody is left. */
export const removeUser = defineCall({ ...member, mayReset: true, method: 'POST', path: 'api/removeUser/:companyId/:userId' });
/** The specification's call for it. */
export const removeUserByGet = defineCall({ ...member, mayReset: true, method: 'GET', path: 'api/removeUser/:companyId/:userId' });

const kept = z.object({ maxDocSize: z.int(), maxTime: z.int() });
const retaining = {
  access,
  company: 'admin',
  params: z.object({ maxDocSize: z.coerce.number(), maxTime: z.coerce.number() }),
  reply: kept,
} as const;
/** Of the caller's own company: megabytes of one file, and days. */
export const retention = defineCall({ ...retaining, method: 'POST', path: 'api/retention/:maxDocSize/:maxTime' });
/** The specification's call for it. */
export const retentionByGet = defineCall({ ...retaining, method: 'GET', path: 'api/retention/:maxDocSize/:maxTime' });

/** Whether a file of so many bytes may be uploaded: by the company's bound, and the installation's. */
export const sizeIsAllowed = defineCall({
  method: 'GET',
  path: 'api/sizeIsAllowed/:size',
  access,
  params: z.object({ size: z.coerce.number().check(z.int(), z.gte(0)) }),
  reply: z.boolean(),
});
