//! The people behind the counter: who they are, what they may do.

use mostrador_answer::ports::UnixMillis;
use serde::{Deserialize, Serialize};
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteRow;

use crate::{Store, StoreError};

/// What an operator may do; each role may do what the ones before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Reads.
    Viewer,
    /// Answers customers and decides about money.
    Agent,
    /// Says who the others are.
    Owner,
}

impl Role {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Agent, Self::Owner];

    /// The name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Agent => "agent",
            Self::Owner => "owner",
        }
    }

    /// A role by its name; `None` for a text that is no role.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// A person behind the counter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Operator {
    /// Their number.
    pub id: i64,
    /// The name they sign in with; two names differ in more than the case of their letters.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Whether they are kept out.
    pub disabled: bool,
    /// Since when they are known.
    pub created: UnixMillis,
}

const COLUMNS: &str = "SELECT id, name, password, role, disabled, created FROM operators WHERE name = ?1";

/// Whether nobody would be left who may say who the others are.
const NO_OWNER: &str = "SELECT NOT EXISTS (SELECT 1 FROM operators WHERE role = 'owner' AND disabled = 0)";

impl Store {
    /// Whether there is any operator: until then somebody has to be the first.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn any_operator(&self) -> Result<bool, StoreError> {
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM operators)")
            .fetch_one(self.reader())
            .await
            .map_err(|error| self.fault(error))
    }

    /// Adds an operator under the hash of their password.
    ///
    /// # Errors
    /// [`StoreError::NameTaken`] where there is one of this name, in whatever case.
    pub async fn add_operator(
        &self,
        name: &str,
        password_hash: &str,
        role: Role,
        at: UnixMillis,
    ) -> Result<Operator, StoreError> {
        let added = sqlx::query(
            "INSERT INTO operators (name, password, role, created) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (name) DO NOTHING",
        )
        .bind(name)
        .bind(password_hash)
        .bind(role.name())
        .bind(at.0)
        .execute(self.writer())
        .await
        .map_err(|error| self.fault(error))?;
        if added.rows_affected() == 0 {
            return Err(StoreError::NameTaken(name.to_owned()));
        }
        let id = added.last_insert_rowid();
        Ok(Operator { id, name: name.to_owned(), role, disabled: false, created: at })
    }

    /// The first operator, an owner: `None`, and nothing changed, where there is one already. Of many who are first at
    /// the same moment one is.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be written.
    pub async fn add_first_operator(
        &self,
        name: &str,
        password_hash: &str,
        at: UnixMillis,
    ) -> Result<Option<Operator>, StoreError> {
        let added = sqlx::query(
            "INSERT INTO operators (name, password, role, created)
             SELECT ?1, ?2, 'owner', ?3 WHERE NOT EXISTS (SELECT 1 FROM operators)",
        )
        .bind(name)
        .bind(password_hash)
        .bind(at.0)
        .execute(self.writer())
        .await
        .map_err(|error| self.fault(error))?;
        let (id, name) = (added.last_insert_rowid(), name.to_owned());
        let first = Operator { id, name, role: Role::Owner, disabled: false, created: at };
        Ok((added.rows_affected() == 1).then_some(first))
    }

    /// An operator by their name, with the hash of their password; disabled ones too.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn operator(&self, name: &str) -> Result<Option<(Operator, String)>, StoreError> {
        let found = sqlx::query(COLUMNS)
            .bind(name)
            .fetch_optional(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.map(|row| Ok((self.operator_of(&row)?, self.column(&row, "password")?))).transpose()
    }

    /// All operators, by their names.
    ///
    /// # Errors
    /// [`StoreError`] where the database cannot be read.
    pub async fn operators(&self) -> Result<Vec<Operator>, StoreError> {
        let found = sqlx::query("SELECT id, name, role, disabled, created FROM operators ORDER BY name")
            .fetch_all(self.reader())
            .await
            .map_err(|error| self.fault(error))?;
        found.iter().map(|row| self.operator_of(row)).collect()
    }

    /// Says what an operator may do from now on.
    ///
    /// # Errors
    /// [`StoreError::LastOwner`] for the last owner who is not disabled, [`StoreError::NoOperator`].
    pub async fn set_role(&self, id: i64, role: Role) -> Result<(), StoreError> {
        let set = sqlx::query("UPDATE operators SET role = ?2 WHERE id = ?1").bind(id).bind(role.name());
        let mut transaction = self.write().await?;
        let done = set.execute(&mut *transaction).await.map_err(|error| self.fault(error))?;
        self.owned(&mut transaction, id, done.rows_affected()).await?;
        transaction.commit().await.map_err(|error| self.fault(error))
    }

    /// Keeps the hash of a new password and closes every session of its owner.
    ///
    /// # Errors
    /// [`StoreError::NoOperator`].
    pub async fn set_password(&self, id: i64, password_hash: &str) -> Result<(), StoreError> {
        let fault = |error| self.fault(error);
        let mut transaction = self.write().await?;
        let done = sqlx::query("UPDATE operators SET password = ?2 WHERE id = ?1")
            .bind(id)
            .bind(password_hash)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        if done.rows_affected() == 0 {
            return Err(StoreError::NoOperator(id));
        }
        sqlx::query("DELETE FROM operator_sessions WHERE operator = ?1")
            .bind(id)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    /// Keeps an operator out, and closes their sessions, or lets them in again.
    ///
    /// # Errors
    /// [`StoreError::LastOwner`] for the last owner who is not disabled, [`StoreError::NoOperator`].
    pub async fn set_disabled(&self, id: i64, disabled: bool) -> Result<(), StoreError> {
        let fault = |error| self.fault(error);
        let mut transaction = self.write().await?;
        let done = sqlx::query("UPDATE operators SET disabled = ?2 WHERE id = ?1")
            .bind(id)
            .bind(disabled)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        self.owned(&mut transaction, id, done.rows_affected()).await?;
        sqlx::query("DELETE FROM operator_sessions WHERE operator = ?1 AND ?2")
            .bind(id)
            .bind(disabled)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        transaction.commit().await.map_err(fault)
    }

    /// Whether a change of an operator may be committed: it was one, and somebody still owns the shop.
    async fn owned(
        &self,
        connection: &mut SqliteConnection,
        id: i64,
        changed: u64,
    ) -> Result<(), StoreError> {
        if changed == 0 {
            return Err(StoreError::NoOperator(id));
        }
        let nobody: bool =
            sqlx::query_scalar(NO_OWNER).fetch_one(connection).await.map_err(|error| self.fault(error))?;
        if nobody { Err(StoreError::LastOwner) } else { Ok(()) }
    }

    /// An operator, from a row with their columns.
    pub(crate) fn operator_of(&self, row: &SqliteRow) -> Result<Operator, StoreError> {
        let name: &str = self.column(row, "role")?;
        Ok(Operator {
            id: self.column(row, "id")?,
            name: self.column(row, "name")?,
            role: Role::parse(name).ok_or_else(|| self.damaged(format!("{name:?} is no role")))?,
            disabled: self.column(row, "disabled")?,
            created: UnixMillis(self.column(row, "created")?),
        })
    }
}
