//! Every error as the plain object that `js/errors.js` makes an error of.

use std::error::Error;

use fencekv_kv::{
    CursorError, ExpiryTooFar, Key, KeyError, LimitExceeded, SelectorError, VersionstampError,
};
use fencekv_sqlite::StoreError;

use crate::js::{Js, Value};
use crate::key;

/// What failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// With a code, and fields that depend on it.
    Coded {
        code: &'static str,
        message: String,
        cause: Option<String>,
        fields: Vec<Field>,
    },
    /// A JS exception is pending, or Node-API refused a call.
    Js(napi::Error),
}

#[derive(Debug)]
pub(crate) enum Field {
    Number(&'static str, f64),
    Text(&'static str, &'static str),
    Key(&'static str, Key),
}

impl Failure {
    pub(crate) fn coded(code: &'static str, message: impl Into<String>) -> Self {
        Self::Coded {
            code,
            message: message.into(),
            cause: None,
            fields: Vec::new(),
        }
    }

    pub(crate) fn invalid_key(message: impl Into<String>) -> Self {
        Self::coded("INVALID_KEY", message)
    }

    fn with(self, field: Field) -> Self {
        match self {
            Self::Coded {
                code,
                message,
                cause,
                mut fields,
            } => {
                fields.push(field);
                Self::Coded {
                    code,
                    message,
                    cause,
                    fields,
                }
            }
            js => js,
        }
    }

    /// `{ code, message, cause?, ...fields }`
    pub(crate) fn to_js(&self, js: Js) -> napi::Result<Value> {
        let object = js.new_object()?;
        let (code, message, cause, fields) = match self {
            Self::Coded {
                code,
                message,
                cause,
                fields,
            } => (*code, message, cause, &fields[..]),
            Self::Js(error) => ("INTERNAL", &error.reason, &None, &[][..]),
        };
        js.set_property(object, "code", js.new_text(code)?)?;
        js.set_property(object, "message", js.new_text(message)?)?;
        if let Some(cause) = cause {
            js.set_property(object, "cause", js.new_text(cause)?)?;
        }
        for field in fields {
            match field {
                Field::Number(name, number) => js.set_property(object, name, js.make(*number)?)?,
                Field::Text(name, text) => js.set_property(object, name, js.new_text(text)?)?,
                Field::Key(name, encoded) => {
                    if let Ok(parts) = key::make(js, encoded.as_bytes())? {
                        js.set_property(object, name, parts)?;
                    }
                }
            }
        }
        Ok(object)
    }
}

impl From<napi::Error> for Failure {
    fn from(error: napi::Error) -> Self {
        Self::Js(error)
    }
}

impl From<KeyError> for Failure {
    fn from(error: KeyError) -> Self {
        Self::invalid_key(error.to_string())
    }
}

impl From<SelectorError> for Failure {
    fn from(error: SelectorError) -> Self {
        Self::coded("INVALID_SELECTOR", error.to_string())
    }
}

impl From<CursorError> for Failure {
    fn from(error: CursorError) -> Self {
        Self::coded("INVALID_CURSOR", error.to_string())
    }
}

impl From<VersionstampError> for Failure {
    fn from(error: VersionstampError) -> Self {
        Self::coded("INVALID_VERSIONSTAMP", error.to_string())
    }
}

impl From<ExpiryTooFar> for Failure {
    fn from(error: ExpiryTooFar) -> Self {
        Self::coded("INVALID_EXPIRY", format!("expireIn is too large: {error}"))
    }
}

impl From<LimitExceeded> for Failure {
    fn from(error: LimitExceeded) -> Self {
        let failure = Self::coded("LIMIT_EXCEEDED", error.to_string())
            .with(Field::Text("limit", error.kind.name()))
            .with(Field::Number("max", error.max as f64))
            .with(Field::Number("actual", error.actual as f64));
        match error.key {
            Some(key) => failure.with(Field::Key("key", key)),
            None => failure,
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let failure = Self::Coded {
            code: error.code(),
            message: error.to_string(),
            cause: error.source().map(ToString::to_string),
            fields: Vec::new(),
        };
        match error {
            StoreError::Busy { waited_ms } => {
                failure.with(Field::Number("waitedMs", waited_ms as f64))
            }
            StoreError::TypeMismatch { key, .. } => failure.with(Field::Key("key", key)),
            _ => failure,
        }
    }
}
