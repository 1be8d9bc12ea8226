//! Units of measure and of time, and what is exactly how much of what.

use serde::{Deserialize, Serialize};

/// What a unit measures: only units of one dimension can be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dimension {
    Mass,
    Length,
    Area,
    Space,
    Volume,
    Bytes,
    Power,
    Energy,
    Charge,
    Frequency,
    /// A unit that is converted into no other.
    Own(Unit),
}

macro_rules! units {
    ($($(#[$doc:meta])* $name:ident = $key:literal, $symbols:expr, $dimension:expr, $factor:expr;)*) => {
        /// A unit of measure.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Unit {
            $($(#[$doc])* #[serde(rename = $key)] $name,)*
        }

        impl Unit {
            pub(crate) const ALL: &'static [Unit] = &[$(Unit::$name,)*];

            /// How it is written in every language; a single letter and what begins with `=` stands exactly so.
            pub(crate) fn symbols(self) -> &'static [&'static str] {
                match self { $(Unit::$name => &$symbols,)* }
            }

            /// What it measures, and how many of the smallest unit of that it is.
            pub(crate) fn measure(self) -> (Dimension, i128) {
                match self { $(Unit::$name => ($dimension, $factor),)* }
            }
        }
    };
}

use Dimension as D;

units! {
    /// Milligrams.
    Milligram = "mg", ["mg"], D::Mass, 1;
    /// Grams.
    Gram = "g", ["=g"], D::Mass, 1_000;
    /// Kilograms.
    Kilogram = "kg", ["kg"], D::Mass, 1_000_000;
    /// Tonnes.
    Tonne = "t", ["=t"], D::Mass, 1_000_000_000;
    /// Pounds of weight.
    Pound = "lb", ["lb", "lbs"], D::Own(Unit::Pound), 1;
    /// Ounces.
    Ounce = "oz", ["oz"], D::Own(Unit::Ounce), 1;
    /// Millimetres.
    Millimetre = "mm", ["mm"], D::Length, 1;
    /// Centimetres.
    Centimetre = "cm", ["cm"], D::Length, 10;
    /// Metres.
    Metre = "m", ["=m"], D::Length, 1_000;
    /// Kilometres.
    Kilometre = "km", ["km"], D::Length, 1_000_000;
    /// Inches.
    Inch = "in", ["″"], D::Own(Unit::Inch), 1;
    /// Feet.
    Foot = "ft", ["ft"], D::Own(Unit::Foot), 1;
    /// Miles.
    Mile = "mi", ["=mi"], D::Own(Unit::Mile), 1;
    /// Square centimetres.
    SquareCentimetre = "cm2", ["cm²", "cm2"], D::Area, 1;
    /// Square metres.
    SquareMetre = "m2", ["m²", "m2"], D::Area, 10_000;
    /// Cubic metres.
    CubicMetre = "m3", ["m³", "m3"], D::Space, 1;
    /// Millilitres.
    Millilitre = "ml", ["ml"], D::Volume, 1;
    /// Centilitres.
    Centilitre = "cl", ["cl"], D::Volume, 10;
    /// Litres.
    Litre = "l", ["=l", "=L"], D::Volume, 1_000;
    /// Degrees Celsius.
    Celsius = "C", ["°c", "℃", "° c"], D::Own(Unit::Celsius), 1;
    /// Degrees Fahrenheit.
    Fahrenheit = "F", ["°f", "℉", "° f"], D::Own(Unit::Fahrenheit), 1;
    /// Kilobytes.
    Kilobyte = "kB", ["kb"], D::Bytes, 1;
    /// Megabytes.
    Megabyte = "MB", ["mb"], D::Bytes, 1_000;
    /// Gigabytes.
    Gigabyte = "GB", ["gb"], D::Bytes, 1_000_000;
    /// Terabytes.
    Terabyte = "TB", ["tb"], D::Bytes, 1_000_000_000;
    /// Megabits a second.
    Megabit = "Mbps", ["mbps", "mbit", "mbit/s", "mb/s"], D::Own(Unit::Megabit), 1;
    /// Watts.
    Watt = "W", ["=W", "=w"], D::Power, 1;
    /// Kilowatts.
    Kilowatt = "kW", ["kw"], D::Power, 1_000;
    /// Watt hours.
    WattHour = "Wh", ["wh"], D::Energy, 1;
    /// Kilowatt hours.
    KilowattHour = "kWh", ["kwh"], D::Energy, 1_000;
    /// Milliampere hours.
    MilliampereHour = "mAh", ["mah"], D::Charge, 1;
    /// Ampere hours.
    AmpereHour = "Ah", ["=Ah"], D::Charge, 1_000;
    /// Amperes.
    Ampere = "A", ["=A"], D::Own(Unit::Ampere), 1;
    /// Volts.
    Volt = "V", ["=V", "=v"], D::Own(Unit::Volt), 1;
    /// Hertz.
    Hertz = "Hz", ["hz"], D::Frequency, 1;
    /// Kilohertz.
    Kilohertz = "kHz", ["khz"], D::Frequency, 1_000;
    /// Megahertz.
    Megahertz = "MHz", ["mhz"], D::Frequency, 1_000_000;
    /// Gigahertz.
    Gigahertz = "GHz", ["ghz"], D::Frequency, 1_000_000_000;
    /// Decibels.
    Decibel = "dB", ["db"], D::Own(Unit::Decibel), 1;
    /// Lumens.
    Lumen = "lm", ["lm"], D::Own(Unit::Lumen), 1;
    /// Kelvins, the colour of a light.
    Kelvin = "K", ["=K"], D::Own(Unit::Kelvin), 1;
    /// Bars of pressure.
    Bar = "bar", ["=bar"], D::Own(Unit::Bar), 1;
    /// Pixels.
    Pixel = "px", ["px"], D::Own(Unit::Pixel), 1;
    /// Megapixels.
    Megapixel = "MP", ["=MP", "mpx"], D::Own(Unit::Megapixel), 1;
    /// Kilometres an hour.
    KilometreAnHour = "km/h", ["km/h"], D::Own(Unit::KilometreAnHour), 1;
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeUnit {
    /// Seconds.
    Second,
    /// Minutes.
    Minute,
    /// Hours.
    Hour,
    /// Days of the calendar.
    Day,
    /// Nights of a stay.
    Night,
    /// Days on which people work, Monday to Friday.
    WorkingDay,
    /// Days on which work is done at all, Monday to Saturday, where a language tells the two apart.
    WorkableDay,
    /// Weeks.
    Week,
    /// Two weeks.
    Fortnight,
    /// Months.
    Month,
    /// Three months.
    Quarter,
    /// Six months.
    HalfYear,
    /// Years.
    Year,
    /// Ten years.
    Decade,
}

impl TimeUnit {
    /// The unit that it is exactly a number of, and that number: seconds or months, or itself.
    ///
    /// A month is no number of days, and a working day is no day.
    pub(crate) fn measure(self) -> (TimeUnit, i128) {
        const DAY: i128 = 24 * 60 * 60;
        match self {
            TimeUnit::Second => (TimeUnit::Second, 1),
            TimeUnit::Minute => (TimeUnit::Second, 60),
            TimeUnit::Hour => (TimeUnit::Second, 60 * 60),
            TimeUnit::Day => (TimeUnit::Second, DAY),
            TimeUnit::Week => (TimeUnit::Second, 7 * DAY),
            TimeUnit::Fortnight => (TimeUnit::Second, 14 * DAY),
            TimeUnit::Month => (TimeUnit::Month, 1),
            TimeUnit::Quarter => (TimeUnit::Month, 3),
            TimeUnit::HalfYear => (TimeUnit::Month, 6),
            TimeUnit::Year => (TimeUnit::Month, 12),
            TimeUnit::Decade => (TimeUnit::Month, 120),
            TimeUnit::Night | TimeUnit::WorkingDay | TimeUnit::WorkableDay => (self, 1),
        }
    }
}
